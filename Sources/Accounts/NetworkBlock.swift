import Glibc

/// A network that one visitor may control, and how much of what one visitor may it may have together.
package struct NetworkBlock: Sendable, Equatable {
    package let name: String
    package let share: Int

    /// The networks around an address, the narrowest first.
    ///
    /// An IPv4 address stands alone. An IPv6 visitor has a /64 to choose addresses from, and whoever rents a /48 has
    /// 65,536 of those: all of them together may have what sixteen visitors may, enough for honest neighbours.
    package static func blocks(of address: String) -> [NetworkBlock] {
        let bare = address.split(separator: "%", maxSplits: 1).first.map(String.init) ?? address
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, bare, &six) == 1 else { return [NetworkBlock(name: bare, share: 1)] }
        let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        // ::ffff:a.b.c.d is an IPv4 visitor on a socket for both.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return [NetworkBlock(name: bytes[12...].map(String.init).joined(separator: "."), share: 1)]
        }
        return [block(bytes, bits: 64, share: 1), block(bytes, bits: 48, share: 16)]
    }

    /// The widest network that one visitor may control.
    package static func widest(of address: String) -> String {
        blocks(of: address).last?.name ?? address
    }

    private static func block(_ bytes: [UInt8], bits: Int, share: Int) -> NetworkBlock {
        let prefix = bytes[..<(bits / 8)].map { String($0, radix: 16) }.joined(separator: ":")
        return NetworkBlock(name: "\(prefix)/\(bits)", share: share)
    }
}

extension Caller {
    /// The network that the request comes from: the key of every limit per network.
    package var network: String { NetworkBlock.widest(of: address) }
}
