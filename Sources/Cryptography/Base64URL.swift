/// Base64 for URLs, unpadded (RFC 4648 §5, RFC 7515 §2), read strictly.
///
/// Padding, white space, `+`, `/` and set spare bits are refused. Otherwise one token would have several spellings, and
/// the replay ledger would miss all but one.
package enum Base64URL {
    static let codec = Base64Codec(alphabetEnd: "-_")

    package static func encode(_ bytes: [UInt8]) -> String { codec.text(bytes.span) }

    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        codec.decode(Array(text.utf8).span)
    }

    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        codec.decode(text)
    }
}

/// Unpadded base64 over either alphabet; they differ in the last two characters.
struct Base64Codec: Sendable {
    /// Base64 as in the text form of password hashes.
    static let standard = Base64Codec(alphabetEnd: "+/")
    private static let invalid: UInt8 = 0xFF

    private let characters: [UInt8]
    private let values: [UInt8]

    init(alphabetEnd: StaticString) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        characters = Array((letters + letters.lowercased() + "0123456789" + alphabetEnd.description).utf8)
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in characters.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        self.values = values
    }

    func text(_ bytes: Span<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { buffer in
            var text = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            write(bytes, to: &text)
            return unsafe text.finalize(for: buffer)
        }
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](capacity: (bytes.count * 4 + 2) / 3) { text in
            write(bytes.span, to: &text)
        }
    }

    func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.append(addingCapacity: (bytes.count * 4 + 2) / 3) { text in
            write(bytes.span, to: &text)
        }
    }

    private func write(_ bytes: Span<UInt8>, to text: inout OutputSpan<UInt8>) {
        let characters = characters.span
        var index = 0
        while index + 3 <= bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            text.append(characters[bits >> 18])
            text.append(characters[bits >> 12 & 63])
            text.append(characters[bits >> 6 & 63])
            text.append(characters[bits & 63])
            index += 3
        }
        guard index < bytes.count else { return }
        let last = index + 1 < bytes.count ? Int(bytes[index + 1]) : 0
        let bits = Int(bytes[index]) << 16 | last << 8
        text.append(characters[bits >> 18])
        text.append(characters[bits >> 12 & 63])
        if index + 1 < bytes.count { text.append(characters[bits >> 6 & 63]) }
    }

    func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var isCanonical = true
        let bytes = [UInt8](capacity: text.count * 3 / 4) { bytes in
            isCanonical = read(text, into: &bytes)
        }
        return isCanonical ? bytes : nil
    }

    /// False for a character outside the alphabet, or spare bits that are not zero.
    private func read(_ text: Span<UInt8>, into bytes: inout OutputSpan<UInt8>) -> Bool {
        let values = values.span
        var index = 0
        while index + 4 <= text.count {
            let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
            let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
            // Only `invalid` has the highest bits set.
            guard (a | b | c | d) < 64 else { return false }
            bytes.append(a << 2 | b >> 4)
            bytes.append(b << 4 | c >> 2)
            bytes.append(c << 6 | d)
            index += 4
        }
        return readRest(text.extracting(index...), into: &bytes)
    }

    /// The last one to three characters.
    private func readRest(_ text: Span<UInt8>, into bytes: inout OutputSpan<UInt8>) -> Bool {
        let values = values.span
        var bits: UInt32 = 0
        var pending: UInt32 = 0
        for index in text.indices {
            let value = values[Int(text[index])]
            guard value != Self.invalid else { return false }
            bits = bits << 6 | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> pending))
            }
        }
        return bits & (1 << pending - 1) == 0
    }
}
