import Cryptography

/// A phone number in the international form of E.164.
///
/// National forms are refused, because the country could only be guessed.
package struct PhoneNumber: Sendable, Equatable {
    /// `+` and 7 to 15 digits, the first of them not 0.
    package let text: String

    /// Accepts the usual notation with spaces, hyphens, dots or parentheses.
    ///
    /// A trunk prefix in parentheses after the calling code, as in `+49 (0)151…`, is dropped. Elsewhere a zero after the
    /// calling code is refused, unless numbers of its country may begin with one: a message to it would reach nobody, or
    /// another person.
    package init?(_ typed: String) {
        let notation = TypedText.folded(typed)
        guard notation.utf8.count <= 40 else { return nil }
        let marks = notation.utf8.filter { !" -.".utf8.contains($0) }
        guard marks.first(where: { !Self.isParenthesis($0) }) == UInt8(ascii: "+"),
            let code = CallingCode(startOf: Self.plain(marks).dropFirst())
        else { return nil }
        let number = Self.plain(Self.withoutTrunkPrefix(marks, code))
        let digits = number.dropFirst()
        guard (7...15).contains(digits.count), digits.first != Self.zero,
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            code.mayPrecedeZero || digits.dropFirst(code.digits.utf8.count).first != Self.zero
        else { return nil }
        text = String(decoding: number, as: UTF8.self)
    }

    /// The key of look-ups and throttles: a number has one spelling.
    package var key: String { text }

    /// The masked number: `+49•••••12`.
    package var masked: String { "\(text.prefix(3))•••••\(text.suffix(2))" }

    private static let zero = UInt8(ascii: "0")

    private static func isParenthesis(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") }

    private static func plain(_ marks: [UInt8]) -> [UInt8] { marks.filter { !isParenthesis($0) } }

    private static func withoutTrunkPrefix(_ marks: [UInt8], _ code: CallingCode) -> [UInt8] {
        for prefix in code.trunkPrefixes {
            let start = Array("(\(prefix))".utf8)
            for place in marks.indices where marks[place...].starts(with: start) {
                guard plain(Array(marks[..<place])) == Array("+\(code.digits)".utf8) else { continue }
                return Array(marks[..<place] + marks[(place + start.count)...])
            }
        }
        return marks
    }
}
