/// Proof key for code exchange, method S256 (RFC 7636).
package enum PKCE {
    /// A fresh verifier: 43 characters from 32 random bytes (§4.1).
    package static func verifier() -> String {
        Base64URL.encode(RandomBytes.system(32))
    }

    /// The challenge of a verifier (§4.2).
    package static func challenge(_ verifier: String) -> String {
        Base64URL.encode(SHA256.hash(verifier))
    }

    /// The shortest verifier (§4.1).
    package static let shortestVerifier = 43

    /// Whether a text has the form of a challenge: base64url of a SHA-256 (§4.2).
    package static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43
            && text.utf8.allSatisfy { isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
    }

    /// Whether a text has the form of a verifier: 43 to 128 unreserved characters (§4.1).
    ///
    /// - Parameter shortest: fewer characters, for clients of a service that takes them.
    package static func isWellFormed(verifier: String, shortest: Int = shortestVerifier) -> Bool {
        (shortest...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(isUnreserved)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
