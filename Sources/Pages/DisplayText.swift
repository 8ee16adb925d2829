/// External names and addresses, cleaned for display within our own text.
package enum DisplayText {
    /// The text without control characters, line breaks and bidirectional marks.
    package static func cleaned(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept)))
    }

    /// The same, with its line feeds.
    package static func cleanedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { cleaned(String($0)) }.joined(
            separator: "\n")
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Marks, embeddings, overrides and isolates of the bidirectional algorithm; line and paragraph separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
