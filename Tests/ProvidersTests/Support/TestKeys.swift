import Cryptography
import JSON

/// Keys for the whole run: making an RSA key takes longer than its use.
enum TestKeys {
    private static let rsa = Result { () throws(OpenSSLError) in try PrivateKey.generateRSA(bits: 2048) }
    private static let otherRSA = Result { () throws(OpenSSLError) in try PrivateKey.generateRSA(bits: 2048) }
    private static let p256 = Result { () throws(OpenSSLError) in try PrivateKey.generateP256() }

    /// The issuers' key, published as `key-1`.
    static var issuer: PrivateKey { get throws { try rsa.get() } }
    /// Published only by some tests.
    static var other: PrivateKey { get throws { try otherRSA.get() } }
    /// Our key at Apple.
    static var apple: PrivateKey { get throws { try p256.get() } }

    static func set(_ keys: [(id: String, key: PrivateKey)]) -> String {
        let members = keys.map { $0.key.publicKey.jwk(id: $0.id, algorithm: .RS256).text }
        return #"{"keys":[\#(members.joined(separator: ","))]}"#
    }

    static var usualSet: String { get throws { set([("key-1", try issuer)]) } }
}
