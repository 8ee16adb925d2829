import Outbound

/// Header lines of a mail, folded (RFC 5322 §2.2.3), with encoded words for other than plain ASCII (RFC 2047).
enum MailHeader {
    static func text(_ name: String, _ value: String) -> String {
        "\(name): " + phrase(value, column: name.utf8.count + 2)
    }

    static func address(_ name: String, _ address: MailAddress) -> String {
        guard !address.name.isEmpty else { return "\(name): <\(address.address)>" }
        // Names are always encoded, so quotes, commas and comments in them need no further rule.
        return "\(name): " + encodedWords(singleLine(address.name)) + "\r\n <\(address.address)>"
    }

    /// Keeps the characters that a message id allows (RFC 5322 §3.6.4).
    static func messageID(_ text: String) -> String {
        String(decoding: text.utf8.filter { MailAddress.isAtomByte($0) || $0 == 0x2E || $0 == 0x40 }, as: UTF8.self)
    }

    private static func phrase(_ value: String, column: Int) -> String {
        let line = singleLine(value)
        let isPlain =
            line.utf8.allSatisfy { 0x20 <= $0 && $0 <= 0x7E } && !line.contains("=?")
            && line.utf8.first != 0x20 && !line.hasSuffix(" ")
        return isPlain && column + line.utf8.count <= 76 ? line : encodedWords(line)
    }

    /// Base64 words of whole characters, one per line.
    private static func encodedWords(_ line: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in line.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            // 39 bytes make 52 characters of Base64 and 64 with the frame: within the 75 of RFC 2047 §2 and the line's
            // 78.
            if words[words.count - 1].count + bytes.count > 39 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Base64Text.encode($0))?=" }.joined(separator: "\r\n ")
    }

    /// Controls and every kind of line break become spaces.
    static func singleLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(isBreakOrControl(scalar) ? " " : scalar)
        }
        return String(line)
    }

    private static func isBreakOrControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }
}
