import Cryptography
import Logging
import Vocabulary

/// Removes secrets from log lines.
///
/// No code may log a secret. This is the second defence: it covers values with a secret name and every text that looks like
/// a token or key. Values of type ``Secret`` always print as dots.
package enum Redaction {
    static let cover = "•••"

    private static let names: [[UInt8]] = [
        "password", "secret", "token", "authorization", "cookie", "credential", "private_key", "code_verifier",
        "assertion", "nonce",
    ].map { Array($0.utf8) }

    private static let marks: [[UInt8]] =
        ["eyJ", "Atza|", "Atzr|", "-----BEGIN", "Bearer ", "gho_", "ghu_"].map { Array($0.utf8) }
        + bytes(SecretPrefix.allCases.filter { !$0.occursInWords })

    /// Prefixes of own secrets that also occur in words, as `rt_` in `start_time`: see ``isToken(_:in:at:)``.
    private static let wordLikeMarks = bytes(SecretPrefix.allCases.filter(\.occursInWords))

    private static func bytes(_ prefixes: [SecretPrefix]) -> [[UInt8]] { prefixes.map { Array($0.rawValue.utf8) } }

    /// The first bytes of all prefixes.
    ///
    /// Other bytes are skipped after one comparison.
    private static let beginnings: [Bool] = (0...UInt8.max).map { byte in
        (marks + wordLikeMarks).contains { $0[0] == byte }
    }

    /// Whether a metadata value is covered because of its name; names such as `token_kind` and `key_count` are allowed.
    ///
    /// It ignores case.
    static func isTelling(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        for telling in names where isLastWord(telling, of: bytes) { return true }
        return false
    }

    /// The text with everything covered that looks like a token or key.
    static func covered(_ text: String) -> String {
        guard holdsMark(text.utf8Span.span) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard let mark = mark(in: bytes.span, at: index) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result.append(contentsOf: cover.utf8)
            index = end(of: mark, in: bytes, from: index)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether the text contains anything that looks like a token or key.
    package static func covers(_ text: String) -> Bool { holdsMark(text.utf8Span.span) }

    /// Whether a name is this word, or ends with it after `_` or `.`.
    private static func isLastWord(_ word: [UInt8], of name: Span<UInt8>) -> Bool {
        let start = name.count - word.count
        guard start >= 0 else { return false }
        for index in word.indices.reversed() where lowercased(name[start + index]) != word[index] { return false }
        return start == 0 || name[start - 1] == UInt8(ascii: "_") || name[start - 1] == UInt8(ascii: ".")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    private static func holdsMark(_ text: Span<UInt8>) -> Bool {
        let beginnings = beginnings
        for index in text.indices where beginnings[Int(text[index])] {
            if mark(in: text, at: index) != nil { return true }
        }
        return false
    }

    private static func mark(in text: Span<UInt8>, at index: Int) -> [UInt8]? {
        for mark in marks where starts(mark, text, at: index) { return mark }
        for mark in wordLikeMarks where starts(mark, text, at: index) && isToken(mark, in: text, at: index) {
            return mark
        }
        return nil
    }

    /// Whether a token follows the prefix instead of a word.
    ///
    /// At the start of a word eight token characters are enough. Elsewhere it takes twenty with a capital letter and a digit.
    private static func isToken(_ mark: [UInt8], in text: Span<UInt8>, at index: Int) -> Bool {
        var (length, hasCapital, hasDigit) = (0, false, false)
        while index + mark.count + length < text.count, length < 20 {
            let byte = text[index + mark.count + length]
            guard isTokenByte(byte) else { break }
            hasCapital = hasCapital || 0x41...0x5A ~= byte
            hasDigit = hasDigit || 0x30...0x39 ~= byte
            length += 1
        }
        if length == 20, hasCapital, hasDigit { return true }
        return length >= 8 && (index == 0 || !isWordByte(text[index - 1]))
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
        if mark.starts(with: "-----BEGIN".utf8) { return bytes.count }
        var index = start + mark.count
        while index < bytes.count, isTokenByte(bytes[index]) { index += 1 }
        return index
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_.~+/=|".utf8.contains(byte)
        }
    }

    private static func starts(_ mark: [UInt8], _ text: Span<UInt8>, at index: Int) -> Bool {
        guard index + mark.count <= text.count else { return false }
        for offset in mark.indices where text[index + offset] != mark[offset] { return false }
        return true
    }
}
