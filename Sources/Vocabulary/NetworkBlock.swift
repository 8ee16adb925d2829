import Glibc

/// A network that one visitor may control, with its share of the limits.
package struct NetworkBlock: Sendable, Equatable {
    package let name: String
    package let share: Int

    /// The networks of an address, narrowest first.
    ///
    /// An IPv4 address stands alone. An IPv6 visitor controls a /64, and a tenant of a /48 controls 65,536 of those:
    /// together they get the limits of sixteen visitors, enough for honest neighbours.
    package static func blocks(of address: String) -> [NetworkBlock] {
        let bare = address.split(separator: "%", maxSplits: 1).first.map(String.init) ?? address
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, bare, &six) == 1 else { return [NetworkBlock(name: bare, share: 1)] }
        let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        // ::ffff:a.b.c.d is an IPv4 visitor on a dual-stack socket.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return [NetworkBlock(name: bytes[12...].map(String.init).joined(separator: "."), share: 1)]
        }
        return [block(bytes, bits: 64, share: 1), block(bytes, bits: 48, share: 16)]
    }

    /// The widest network that one visitor may control.
    static func widest(of address: String) -> String {
        blocks(of: address).last?.name ?? address
    }

    private static func block(_ bytes: [UInt8], bits: Int, share: Int) -> NetworkBlock {
        let prefix = bytes[..<(bits / 8)].map { String($0, radix: 16) }.joined(separator: ":")
        return NetworkBlock(name: "\(prefix)/\(bits)", share: share)
    }
}

extension Caller {
    /// The same request on behalf of a user at another address; nil for an invalid one.
    package func at(_ address: String) -> Caller? {
        var (four, six) = (in_addr(), in6_addr())
        let isFour = unsafe inet_pton(AF_INET, address, &four) == 1
        let isSix = unsafe inet_pton(AF_INET6, address, &six) == 1
        return isFour || isSix ? Caller(address: address, requestID: requestID, language: language) : nil
    }

    /// The network of the request: the key of every network limit.
    package var network: String { NetworkBlock.widest(of: address) }
}
