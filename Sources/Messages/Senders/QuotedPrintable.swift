/// Quoted-printable (RFC 2045 §6.7): readable without decoding, and unchanged by every relay.
enum QuotedPrintable {
    /// The encoded lines, each at most 76 octets, without line ends.
    ///
    /// CR LF, LF and CR all end a line of `text`.
    static func lines(_ text: String) -> [String] {
        logicalLines(text).flatMap { encode($0) }
    }

    private static func logicalLines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var afterCR = false
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A {
                if !(byte == 0x0A && afterCR) { lines.append([]) }
            } else {
                lines[lines.count - 1].append(byte)
            }
            afterCR = byte == 0x0D
        }
        return lines
    }

    private static func encode(_ line: [UInt8]) -> [String] {
        var lines: [String] = []
        var current = ""
        for (index, byte) in line.enumerated() {
            let piece = token(byte, isFirst: current.isEmpty, isLast: index == line.count - 1)
            // One octet stays free for the soft line break.
            if current.utf8.count + piece.utf8.count > 75 {
                lines.append(current + "=")
                current = token(byte, isFirst: true, isLast: index == line.count - 1)
            } else {
                current += piece
            }
        }
        return lines + [current]
    }

    /// Encodes dots and the F of "From" at the start of a line: SMTP doubles dots, and mailboxes quote "From".
    private static func token(_ byte: UInt8, isFirst: Bool, isLast: Bool) -> String {
        let isLiteral =
            switch byte {
            case UInt8(ascii: "="): false
            case UInt8(ascii: "."), UInt8(ascii: "F"): !isFirst
            case 0x20, 0x09: !isLast
            default: 0x21 <= byte && byte <= 0x7E
            }
        guard !isLiteral else { return String(Unicode.Scalar(byte)) }
        let digits = Array("0123456789ABCDEF")
        return "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 0x0F)])"
    }
}
