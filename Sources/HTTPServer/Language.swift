/// The languages of the pages; the raw value is the tag for `<html lang>`.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case japanese = "ja"
    case russian = "ru"
    case german = "de"

    /// The language of a BCP 47 range, by lookup (RFC 4647 §3.4): subtags are dropped from the end until a supported
    /// one is left.
    ///
    /// The match is always the first subtag, because we have one written form of each language.
    init?(range: Substring) {
        let subtags = range.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = subtags.first, subtags.allSatisfy(Self.isSubtag) else { return nil }
        switch String(decoding: first, as: UTF8.self).lowercased() {
        case "en": self = .english
        case "zh": self = .simplifiedChinese
        case "ja": self = .japanese
        case "ru": self = .russian
        case "de": self = .german
        default: return nil
        }
    }

    private static func isSubtag(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        (1...8).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
    }
}
