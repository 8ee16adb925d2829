/// The scope of an address, by the IANA special-purpose registries (RFC 6890).
package enum AddressScope: Sendable, Equatable {
    case global
    case loopback
    /// RFC 1918 and unique-local addresses (RFC 4193).
    case `private`
    /// The metadata services of clouds, which hold the machine's credentials and are never called.
    case metadata
    /// Every other scope without providers: link-local, carrier-grade NAT, multicast, documentation, "this network".
    case special

    init(ipv4 address: UInt32) {
        if AddressScope.metadataIPv4.contains(address) {
            self = .metadata
        } else {
            self =
                AddressScope.ipv4Ranges.first { address >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }?.scope
                ?? .global
        }
    }

    init(ipv6High high: UInt64, low: UInt64) {
        let embedded = UInt32(truncatingIfNeeded: low)
        switch (high, low) {
        case (0, 0): self = .special
        case (0, 1): self = .loopback
        // ::ffff:a.b.c.d and the well-known NAT64 prefix 64:ff9b::/96 carry an IPv4 address.
        case (0, _) where low >> 32 == 0xFFFF: self = AddressScope(ipv4: embedded)
        case (0x0064_FF9B_0000_0000, _) where low >> 32 == 0: self = AddressScope(ipv4: embedded)
        case (0xFD00_0EC2_0000_0000, 0x254), (0xFD20_00CE_0000_0000, 0x254): self = .metadata
        case _ where high >> 57 == 0xFC >> 1: self = .private
        case _ where high >> 61 == 0b001: self = AddressScope(globalIPv6High: high)
        default: self = .special
        }
    }

    /// 2000::/3, except addresses that only look global: Teredo and the rest of 2001::/23, documentation, 6to4.
    private init(globalIPv6High high: UInt64) {
        let isSpecial =
            high >> 41 == 0x2001_0000 >> 9  // 2001::/23
            || high >> 32 == 0x2001_0DB8  // 2001:db8::/32
            || high >> 48 == 0x2002  // 2002::/16
            || high >> 44 == 0x3FFF0  // 3fff::/20
        self = isSpecial ? .special : .global
    }

    /// The metadata services of AWS and most others, of Azure (inside the global range), of Alibaba and Oracle.
    private static let metadataIPv4: [UInt32] = [0xA9FE_A9FE, 0xA83F_8110, 0x6464_64C8, 0xC000_00C0]

    private static let ipv4Ranges: [(prefix: UInt32, bits: UInt32, scope: AddressScope)] = [
        (0x7F00_0000, 8, .loopback),
        (0x0A00_0000, 8, .private),
        (0xAC10_0000, 12, .private),
        (0xC0A8_0000, 16, .private),
        (0x0000_0000, 8, .special),  // this network
        (0x6440_0000, 10, .special),  // carrier-grade NAT
        (0xA9FE_0000, 16, .special),  // link-local
        (0xC000_0000, 24, .special),  // protocol assignments
        (0xC000_0200, 24, .special),  // documentation
        (0xC058_6300, 24, .special),  // 6to4 relays
        (0xC612_0000, 15, .special),  // benchmarks
        (0xC633_6400, 24, .special),  // documentation
        (0xCB00_7100, 24, .special),  // documentation
        (0xE000_0000, 4, .special),  // multicast
        (0xF000_0000, 4, .special),  // reserved and broadcast
    ]
}
