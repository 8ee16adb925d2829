import Cryptography

/// The valid forms of an origin in client data.
enum Origin {
    private static let androidPrefixes = ["android:apk-key-hash:", "android:apk-key-hash-sha256:"]
    private static let digestLengths = [20, 32]

    static func isValid(_ origin: String) -> Bool {
        isWeb(origin) || isAndroid(origin)
    }

    /// Scheme, host and port according to RFC 6454 §6.2: lower case, no standard port, no trailing slash; `http` only
    /// on this machine.
    static func isWeb(_ origin: String) -> Bool {
        if origin.hasPrefix("https://") { return isAuthority(origin.dropFirst(8), standardPort: 443) }
        guard origin.hasPrefix("http://") else { return false }
        let authority = origin.dropFirst(7)
        return authority.prefix { $0 != ":" } == "localhost" && isAuthority(authority, standardPort: 80)
    }

    private static func isAuthority(_ authority: Substring, standardPort: UInt16) -> Bool {
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, Domain.isValid(String(host)), parts.count <= 2 else { return false }
        guard parts.count == 2 else { return true }
        guard let port = UInt16(parts[1]), port > 0, port != standardPort else { return false }
        return String(port).utf8.elementsEqual(parts[1].utf8)
    }

    /// The digest of the certificate that signed an Android app.
    private static func isAndroid(_ origin: String) -> Bool {
        guard let prefix = androidPrefixes.first(where: { origin.hasPrefix($0) }),
            let digest = Base64URL.decode(origin.dropFirst(prefix.count))
        else { return false }
        return digestLengths.contains(digest.count)
    }
}

/// Domains in origins and relying party ids: ASCII, in lower case.
enum Domain {
    private static let longest = 253
    private static let longestLabel = 63

    static func isValid(_ domain: String) -> Bool {
        guard (1...longest).contains(domain.utf8.count) else { return false }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A last label of digits is an IP address, which no credential can be bound to.
        guard let last = labels.last, !last.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...longestLabel).contains(label.count) && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
                && label.first != hyphen && label.last != hyphen
        }
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
