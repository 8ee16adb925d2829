/// An IPv4 or IPv6 address as its bytes, in network order.
package enum PeerAddress: Sendable, Hashable {
    case ipv4(UInt32)
    case ipv6(high: UInt64, low: UInt64)

    /// 4 or 16 bytes; anything else is no address.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4:
            self = .ipv4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self = .ipv6(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }

    /// The scope of the address.
    package var scope: AddressScope {
        switch self {
        case .ipv4(let address): AddressScope(ipv4: address)
        case .ipv6(let high, let low): AddressScope(ipv6High: high, low: low)
        }
    }
}
