/// The languages of messages, equal to those of the pages.
enum MessageLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case japanese = "ja"
    case russian = "ru"
    case german = "de"

    /// The language of a BCP 47 tag, by its first subtag, because each language has one written form.
    init?(tag: String) {
        let first = tag.utf8.prefix { $0 != UInt8(ascii: "-") }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let language = Self.allCases.first { $0.rawValue.utf8.prefix(2).elementsEqual(first) }
        guard let language else { return nil }
        self = language
    }
}
