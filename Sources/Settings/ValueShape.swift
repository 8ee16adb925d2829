/// What a value may look like before anybody asks what it means.
///
/// `.env` files are read plainly: quotes stay part of the value and so does a trailing comment. Whoever writes them means
/// something else, so both are refused rather than taken literally.
package enum ValueShape {
    /// Why a value is refused, without showing it; `nil` when it is fine.
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

    /// An entry of a list that is nothing but itself.
    package static func isPlainEntry(_ entry: String) -> Bool {
        !entry.utf8.contains { byte in
            byte <= 0x20 || byte == 0x7F || "\"'`[]{};".utf8.contains(byte)
        }
    }

    /// Without white space at both ends.
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
