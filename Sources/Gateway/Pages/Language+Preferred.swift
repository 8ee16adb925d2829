extension Language {
    /// The length limit of both preferences, against costly input.
    private static let longestWish = 512
    private static let mostRanges = 16

    /// The language of the answer: the app's preference, else the browser's, else English.
    ///
    /// - Parameters:
    ///   - uiLocales: tags in the order of preference, separated by spaces (OpenID Connect Core §3.1.2.1).
    ///   - acceptLanguage: the header (RFC 9110 §12.5.4).
    static func preferred(uiLocales: String?, acceptLanguage: String?) -> Language {
        let asked = uiLocales.flatMap { ranges(in: $0, separator: " ").lazy.compactMap(Language.init(range:)).first }
        return asked ?? acceptLanguage.flatMap(accepted) ?? .english
    }

    /// The supported range with the highest weight; the first of equals.
    static func accepted(in header: String) -> Language? {
        let ranges = ranges(in: header, separator: ",").compactMap(WeightedRange.init)
        let refused = ranges.filter { $0.weight == 0 && !$0.name.contains("-") }
            .compactMap { Language(range: $0.name) }
        var best: (language: Language, weight: Int)?
        for range in ranges where range.weight > best?.weight ?? 0 {
            let language = range.name == "*" ? allCases.first { !refused.contains($0) } : Language(range: range.name)
            if let language { best = (language, range.weight) }
        }
        return best?.language
    }

    /// The items of a list, without a truncated last one: half a tag may name another language.
    private static func ranges(in list: String, separator: Character) -> [Substring] {
        let isWhole = list.utf8.count <= longestWish
        let text = isWhole ? list : String(decoding: list.utf8.prefix(longestWish), as: UTF8.self)
        let parts = text.split(separator: separator)
        return Array((isWhole ? parts : parts.dropLast()).prefix(mostRanges))
    }
}

/// One range of an `Accept-Language` header with its weight in thousandths.
private struct WeightedRange {
    let name: Substring
    let weight: Int

    /// Nil for syntax that RFC 9110 §12.4.2 doesn't allow.
    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        self.name = name
        guard let parameter = parts.dropFirst().first else {
            weight = 1000
            return
        }
        guard parameter.hasPrefix("q=") || parameter.hasPrefix("Q="),
            let weight = Self.thousandths(parameter.utf8.dropFirst(2))
        else { return nil }
        self.weight = weight
    }

    /// `0`, `1`, or either with up to three decimals; at most 1.
    private static func thousandths(_ text: Substring.UTF8View.SubSequence) -> Int? {
        let digits = text.filter { (0x30...0x39).contains($0) }
        let point = text.dropFirst().first
        guard (1...5).contains(text.count), text.first != UInt8(ascii: "."), point == nil || point == UInt8(ascii: "."),
            digits.count == text.count - (point == nil ? 0 : 1)
        else { return nil }
        let padded = digits + Array(repeating: 0x30, count: 4 - digits.count)
        let value = padded.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= 1000 ? value : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
