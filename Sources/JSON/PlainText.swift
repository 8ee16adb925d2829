/// Finds bytes that a JSON text must escape: control characters, quotation marks and backslashes (RFC 8259 §7).
///
/// Eight bytes at a time, because nearly all text is plain.
enum PlainText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x80 * ones

    /// The first such byte at or after `start`; the end of the text without one.
    static func end(_ text: Span<UInt8>, from start: Int = 0) -> Int {
        var index = start
        let bytes = unsafe text.bytes
        while index + 8 <= text.count {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard isPlain(word) else { break }
            index += 8
        }
        while index < text.count, isPlain(text[index]) { index += 1 }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func isPlain(_ word: UInt64) -> Bool {
        let controls = (word &- 0x20 * ones) & ~word
        let special = controls | zeros(word ^ 0x22 * ones) | zeros(word ^ 0x5C * ones)
        return special & highBits == 0
    }

    /// The high bit of each zero byte; once there is one, a later byte may be marked too.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
