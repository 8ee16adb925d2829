import Cryptography
import Vocabulary

/// Makes and reads device codes (RFC 8628 §3.2): 256 random bits, and a code by which only our own reach the database.
struct DeviceCodes: Sendable {
    private static let prefix = SecretPrefix.deviceCode
    private static let length = 32
    private let mac: ShortMAC

    init(keys: MasterKeys) {
        mac = ShortMAC(keys, "device code")
    }

    /// A new code, with the digest that the database stores.
    func make() -> (text: String, digest: [UInt8]) {
        let secret = RandomBytes.system(Self.length)
        return (Self.prefix.text(mac.sealed(secret)), Self.digest(secret))
    }

    /// Nil for a code that this service did not issue.
    func digest(of text: String) -> [UInt8]? {
        guard let bytes = Self.prefix.bytes(of: text), bytes.count == Self.length + ShortMAC.length else { return nil }
        let secret = Array(bytes[..<Self.length])
        return mac.holds(Array(bytes[Self.length...]), for: secret) ? Self.digest(secret) : nil
    }

    private static func digest(_ secret: [UInt8]) -> [UInt8] { SHA256.hash(Array("device code ".utf8) + secret) }
}
