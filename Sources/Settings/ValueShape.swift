/// The allowed form of a value, before its meaning is checked.
///
/// The reader of `.env` files keeps quotes and a trailing comment as part of the value. Their author means something
/// else, so both are refused.
package enum ValueShape {
    /// The reason for refusing a value, without showing it; `nil` for a valid one.
    package static func fault(of value: String) -> String? {
        let bytes = Array(value.utf8)
        guard let first = bytes.first else { return nil }
        let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]
        if quotes.contains(first) {
            return "looks quoted: write the value without quotes"
        }
        if hasTrailingComment(bytes) {
            return "looks as if a comment followed the value: put comments on lines of their own"
        }
        if bytes.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }) {
            return "holds a control character"
        }
        return nil
    }

    /// Whether an entry of a list has no quotes, spaces or other additions.
    package static func isPlainEntry(_ entry: String) -> Bool {
        !entry.utf8.contains { byte in
            byte <= 0x20 || byte == 0x7F || "\"'`[]{};".utf8.contains(byte)
        }
    }

    /// The text without white space at both ends.
    package static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? start
        return String(text[start..<end])
    }

    private static func hasTrailingComment(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { before, after in
            (before == 0x20 || before == 0x09) && after == UInt8(ascii: "#")
        }
    }
}
