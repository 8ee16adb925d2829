/// Text escaped for HTML.
package enum HTMLText {
    /// Appends text so that it stays text, in an element and in a quoted attribute.
    ///
    /// Byte by byte: escaping whole characters would miss a quote followed by a combining mark.
    package static func append(_ text: String, to html: inout [UInt8]) {
        let bytes = text.utf8Span.span
        guard bytes.indices.contains(where: { isSpecial(bytes[$0]) }) else {
            html.append(contentsOf: text.utf8)
            return
        }
        for index in bytes.indices {
            if isSpecial(bytes[index]) {
                html.append(contentsOf: escape(bytes[index]).utf8)
            } else {
                html.append(bytes[index])
            }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        // Letters leave at once.
        guard byte < 0x3F else { return false }
        return switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
        default: byte < 0x20
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        // A parser would convert it to a line feed.
        case UInt8(ascii: "\r"): "&#13;"
        // HTML allows no other control characters.
        default: "\u{FFFD}"
        }
    }
}
