/// A URL that is safe to call, read so strictly that no other parser can read it differently.
///
/// Accepted are `https://host[:port][/path][?query]`, and `http://` where local addresses are allowed. The host is a
/// DNS name, an IPv4 address or an IPv6 address in brackets. Refused are other schemes, user-info, fragments,
/// backslashes, spaces and anything outside visible ASCII. Hosts that clearly mean this machine or its neighbours are
/// refused too.
package struct OutboundURL: Sendable, Equatable {
    package let text: String
    package let isEncrypted: Bool
    package let host: String
    package let port: Int

    /// - Throws: `.invalidRequest` naming the faulty part, or `.addressRefused`.
    package init(_ text: String, allowsLocal: Bool) throws(TransferError) {
        guard text.utf8.count <= 16_384, text.utf8.allSatisfy({ OutboundURL.isAllowed($0) }) else {
            throw .invalidRequest("url characters")
        }
        let (encrypted, rest) = try OutboundURL.splitScheme(text)
        guard encrypted || allowsLocal else { throw .invalidRequest("url scheme") }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .invalidRequest("url user-info") }
        let (host, port) = try OutboundURL.splitPort(authority)
        self.text = text
        self.isEncrypted = encrypted
        self.host = ASCII.lowercased(host.utf8)
        self.port = port ?? (encrypted ? 443 : 80)
        try OutboundURL.check(self.host, guardedBy: AddressGuard(allowsLocal: allowsLocal, requiresLocal: !encrypted))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "#"):
            false
        default: 0x21 <= byte && byte <= 0x7E
        }
    }

    private static func splitScheme(_ text: String) throws(TransferError) -> (encrypted: Bool, rest: Substring) {
        if text.hasPrefix("https://") { return (true, text.dropFirst(8)) }
        if text.hasPrefix("http://") { return (false, text.dropFirst(7)) }
        throw .invalidRequest("url scheme")
    }

    private static func splitPort(_ authority: Substring) throws(TransferError) -> (host: Substring, port: Int?) {
        let isBracketed = authority.hasPrefix("[")
        let end =
            isBracketed
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        guard let end else {
            guard !isBracketed else { throw .invalidRequest("url host") }
            return (authority, nil)
        }
        guard end < authority.endIndex else { return (authority, nil) }
        let digits = authority[end...].dropFirst()
        guard authority[end] == ":", (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }),
            let port = Int(digits), (1...65_535).contains(port)
        else { throw .invalidRequest("url port") }
        return (authority[..<end], port)
    }

    private static func check(_ host: String, guardedBy guardian: AddressGuard) throws(TransferError) {
        if host.hasPrefix("[") || AddressLiteral.looksNumeric(host) {
            guard let address = AddressLiteral.parse(host) else { throw .invalidRequest("url host") }
            guard guardian.permits(address) else { throw .addressRefused }
            return
        }
        guard HostName.isValid(host) else { throw .invalidRequest("url host") }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard guardian.allowsLocal || (name != "localhost" && !name.hasSuffix(".localhost")) else {
            throw .addressRefused
        }
    }
}
