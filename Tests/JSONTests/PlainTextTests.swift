import Testing

@testable import JSON

@Suite("Bytes that a JSON text must escape")
struct PlainTextTests {
    /// RFC 8259 §7: `"`, `\` and the control characters U+0000 to U+001F.
    private static func mustBeEscaped(_ byte: UInt8) -> Bool { byte <= 0x1F || byte == 0x22 || byte == 0x5C }

    private func end(_ text: [UInt8], from start: Int = 0) -> Int { PlainText.end(text.span, from: start) }

    @Test("each byte is classified correctly at each position of a word, alone and next to every kind of neighbour")
    func everywhere() {
        for byte in UInt8.min ... .max {
            for (length, neighbour) in [(1, 0x61), (8, 0x20), (19, 0x7F), (24, 0x80), (33, 0xFF)] as [(Int, UInt8)] {
                for place in 0..<length {
                    var text = [UInt8](repeating: neighbour, count: length)
                    text[place] = byte
                    #expect(end(text) == (Self.mustBeEscaped(byte) ? place : length))
                }
            }
        }
    }

    @Test("the first match counts, and bytes before the start don't")
    func first() {
        let text = Array("\"plain text, and \u{1}then \\ more\"".utf8)
        #expect(end(text) == 0)
        #expect(end(text, from: 1) == 17)
        #expect(end(text, from: 18) == 23)
        #expect(end(text, from: 24) == text.count - 1)
        #expect(end(text, from: text.count) == text.count)
        #expect(end([]) == 0)
    }
}
