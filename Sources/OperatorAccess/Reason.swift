import Providers

/// The reason of an operator's change: required, and kept in the audit log.
package struct Reason: Sendable, Equatable {
    package let text: String

    private static let lengths = 3...500

    /// - Throws: `invalidMember` for an empty or too short text, or more than 500 characters.
    package init(_ typed: String?) throws(AdminRefusal) {
        let words = (typed ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let text = String(String.UnicodeScalarView(words.unicodeScalars.filter(\.isShownInLine)))
        guard !text.isEmpty else { throw .invalidMember(pointer: "/reason", reason: "required") }
        guard text.count >= Self.lengths.lowerBound else {
            throw .invalidMember(pointer: "/reason", reason: "too_short")
        }
        guard text.count <= Self.lengths.upperBound else {
            throw .invalidMember(pointer: "/reason", reason: "too_long")
        }
        self.text = text
    }
}
