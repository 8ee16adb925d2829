import Glibc

/// The network that one visitor controls: an IPv4 address, or the first 64 bits of an IPv6 one.
enum NetworkBlock {
    static func name(of address: String) -> String {
        let bare = address.split(separator: "%", maxSplits: 1).first.map(String.init) ?? address
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, bare, &six) == 1 else { return bare }
        let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        // ::ffff:a.b.c.d is an IPv4 visitor on a socket for both.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
