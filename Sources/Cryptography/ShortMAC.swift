/// Tells our own tokens from made-up ones: HMAC-SHA-256 (RFC 2104), cut to 128 bits, under the newest key; older keys
/// still hold.
package struct ShortMAC: Sendable {
    /// In bytes.
    package static let length = 16

    private let keys: [[UInt8]]

    /// - Parameter purpose: no code of one purpose holds for another.
    package init(_ keys: MasterKeys, _ purpose: String) {
        self.keys = keys.derivedAll(purpose)
    }

    package func code(_ body: [UInt8]) -> [UInt8] { Self.code(body, keys[0]) }

    /// Compares in constant time.
    package func holds(_ presented: [UInt8], for body: [UInt8]) -> Bool {
        keys.contains { ConstantTime.equal(Self.code(body, $0), presented) }
    }

    private static func code(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(body, key: key).prefix(length))
    }
}
