/// The plain spelling of what people type or paste where only digits, letters and signs of ASCII have a meaning.
///
/// Keyboards of other scripts type other digits, and a paste brings invisible characters along. None of them changes
/// what is meant, so no reader of codes or numbers compares anything else than this spelling.
package enum TypedText {
    /// The decimal digits of every script and full-width characters as those of ASCII; every hyphen as `-`, every space
    /// as a blank; invisible characters dropped.
    package static func folded(_ typed: String) -> String {
        // Most texts are plain already.
        guard typed.utf8.contains(where: { $0 >= 0x80 }) else { return typed }
        var text = String.UnicodeScalarView()
        for scalar in typed.unicodeScalars {
            if let plain = plain(scalar) { text.append(plain) }
        }
        return String(text)
    }

    /// Nil for a character that shows nothing.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard !scalar.isASCII else { return scalar }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format { return nil }
        if properties.numericType == .decimal, let digit = properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
        }
        switch scalar.value {
        // U+FF01 to U+FF5E are ASCII's visible characters at full width.
        case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        // The minus sign, and the mark that the hyphen's key types on a Japanese keyboard.
        case 0x2212, 0x30FC, 0xFF70: return "-"
        default: break
        }
        switch properties.generalCategory {
        case .dashPunctuation: return "-"
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return " "
        default: return scalar
        }
    }
}

/// The shape of the codes that people type, by their source.
package enum CodeShape: Sendable {
    /// Six digits: mailed, texted or shown by an authenticator app.
    case digits
    /// 24 characters of Base32.
    case recovery
    /// A provider's: visible characters, usually digits.
    case foreign

    /// The typed code as it was issued, or nil for a text that is no code of this shape, so that it costs no try.
    ///
    /// Spaces and hyphens are dropped, because messages and apps show codes in groups.
    package func code(in typed: String) -> String? {
        let text = TypedText.folded(typed).unicodeScalars.filter { $0 != "-" && !$0.properties.isWhitespace }
        let code = self == .recovery ? String(text).lowercased() : String(text)
        return fits(code.utf8) ? code : nil
    }

    private func fits(_ code: String.UTF8View) -> Bool {
        switch self {
        case .digits: code.count == 6 && code.allSatisfy { (0x30...0x39).contains($0) }
        case .recovery:
            code.count == 24 && code.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
        case .foreign: (1...64).contains(code.count) && code.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }
}
