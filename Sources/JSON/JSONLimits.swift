/// The limits of a document, checked before and while reading, so that nothing oversized is built.
package struct JSONLimits: Sendable {
    /// Length of the whole document.
    package var bytes: Int
    /// The maximum nesting of arrays and objects.
    package var depth: Int
    /// Members of all objects together.
    ///
    /// Only `bytes` limits the elements of arrays.
    package var members: Int
    /// Characters of one number.
    package var numberLength: Int
    /// Whether a text may contain U+0000, which PostgreSQL cannot store and which ends a C string.
    package var allowsNUL: Bool

    package init(bytes: Int, depth: Int = 16, members: Int, numberLength: Int = 32, allowsNUL: Bool = false) {
        self.bytes = bytes
        self.depth = depth
        self.members = members
        self.numberLength = numberLength
        self.allowsNUL = allowsNUL
    }

    /// For requests.
    package static let standard = JSONLimits(bytes: 64 * 1024, members: 1000)
    /// For the parts of a token.
    package static let token = JSONLimits(bytes: 16 * 1024, members: 200)
    /// For answers of identity providers.
    package static let provider = JSONLimits(bytes: 256 * 1024, members: 5000, numberLength: 64)
}
