/// Authenticates our own tokens: HMAC-SHA-256 (RFC 2104), cut to 128 bits, under the newest key.
///
/// Codes of older keys remain valid.
package struct ShortMAC: Sendable {
    /// In bytes.
    package static let length = 16

    private let keys: [[UInt8]]

    /// - Parameter purpose: a code of one purpose is invalid for another.
    package init(_ keys: MasterKeys, _ purpose: String) {
        self.keys = keys.derivedAll(purpose)
    }

    /// ``length`` bytes.
    package func code(_ body: [UInt8]) -> [UInt8] { Array(HMACSHA256.code(body, key: keys[0]).prefix(Self.length)) }

    /// The body followed by its code.
    package func sealed(_ body: [UInt8]) -> [UInt8] {
        let key = keys[0]
        let code = HMACSHA256.code(body.span, key: key.span)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(body.count + Self.length)
        sealed += body
        for index in 0..<Self.length { sealed.append(code[index]) }
        return sealed
    }

    package func holds(_ presented: [UInt8], for body: [UInt8]) -> Bool { holds(presented.span, for: body.span) }

    /// Compares in constant time.
    package func holds(_ presented: Span<UInt8>, for body: Span<UInt8>) -> Bool {
        for key in keys {
            let code = HMACSHA256.code(body, key: key.span)
            if ConstantTime.equal(code.span.extracting(first: Self.length), presented) { return true }
        }
        return false
    }
}
