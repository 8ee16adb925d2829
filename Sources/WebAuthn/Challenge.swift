import Cryptography

/// The random bytes that a response must contain, valid for one ceremony.
package struct Challenge: Sendable {
    /// WebAuthn §13.4.3: shorter ones can be guessed.
    private static let shortest = 16
    private static let longest = 512

    package let bytes: [UInt8]

    /// Takes 16 to 512 bytes; callers use a cryptographic generator, or seal data into them.
    package init?(_ bytes: [UInt8]) {
        guard (Self.shortest...Self.longest).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    var encoded: String { Base64URL.encode(bytes) }

    /// Constant-time comparison.
    func matches(_ presented: String) -> Bool {
        Base64URL.decode(presented).map { ConstantTime.equal($0, bytes) } ?? false
    }
}
