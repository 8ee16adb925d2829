/// A phone number in the international form of E.164.
///
/// National forms are refused, because the country could only be guessed.
package struct PhoneNumber: Sendable, Equatable {
    /// `+` and 7 to 15 digits, the first of them not 0.
    package let text: String

    /// Accepts the usual notation with spaces, hyphens, dots or parentheses.
    package init?(_ typed: String) {
        guard typed.utf8.count <= 40 else { return nil }
        let bytes = typed.utf8.filter { !" -.()".utf8.contains($0) }
        let digits = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: "+"), (7...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The key of look-ups and throttles: a number has one spelling.
    package var key: String { text }

    /// The masked number: `+49•••••12`.
    package var masked: String { "\(text.prefix(3))•••••\(text.suffix(2))" }
}
