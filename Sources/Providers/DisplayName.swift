@_spi(_Unicode) import Swift

/// Makes an untrusted name fit for display.
///
/// Nothing is refused: unsuitable characters are left out. The result remains untrusted and must be escaped on output.
package enum DisplayName {
    /// The longest name that an account keeps, in Unicode scalars.
    private static let longest = 200

    /// The parts, each with its share of the length, joined by a space; nil when nothing remains.
    package static func joined(_ parts: [String?]) -> String? {
        let kept = parts.compactMap { $0.flatMap { clean($0, limit: longest / parts.count) } }
        return clean(kept.joined(separator: " "), limit: longest)
    }

    /// Composes (NFC), cleans and shortens a name to at most `limit` Unicode scalars.
    ///
    /// Entra's name of a guest is none. It drops controls, line breaks, bidirectional and other format characters and angle brackets, and folds white
    /// space.
    package static func clean(_ text: String, limit: Int) -> String? {
        guard !ExternalEmail.isGuestName(text) else { return nil }
        // Four times the limit bounds the work on a text full of combining marks before it is composed.
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit * 4)))
        var kept = String.UnicodeScalarView()
        var pendingSpace = false
        for scalar in bounded._nfc where kept.count < limit {
            if scalar.properties.isWhitespace {
                pendingSpace = !kept.isEmpty
            } else if isShown(scalar) {
                if pendingSpace {
                    guard kept.count + 1 < limit else { break }
                    kept.append(" ")
                }
                pendingSpace = false
                kept.append(scalar)
            }
        }
        return kept.isEmpty ? nil : String(kept)
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "<" && scalar != ">" && scalar.isShownInLine
    }
}

extension Unicode.Scalar {
    /// Whether it shows in one line of text, and neither controls a device nor reorders the text around it.
    ///
    /// Every name and text of a user or operator is held to it.
    package var isShownInLine: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
