/// Why an operator does something, in words: every change asks for them, and the audit log keeps them.
package struct Reason: Sendable, Equatable {
    package let text: String

    private static let lengths = 3...500

    /// - Throws: `invalidMember` for nothing, for a word that says nothing, for more than 500 characters.
    package init(_ typed: String?) throws(AdminRefusal) {
        let text = (typed ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw .invalidMember(pointer: "/reason", reason: "required") }
        guard text.count >= Self.lengths.lowerBound else {
            throw .invalidMember(pointer: "/reason", reason: "too_short")
        }
        guard text.count <= Self.lengths.upperBound else {
            throw .invalidMember(pointer: "/reason", reason: "too_long")
        }
        self.text = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    }
}
