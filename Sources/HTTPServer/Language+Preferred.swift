extension Language {
    /// The language of the answer: the app's preference, else the browser's, else English.
    ///
    /// - Parameters:
    ///   - uiLocales: tags in the order of preference, separated by spaces (OpenID Connect Core §3.1.2.1).
    ///   - acceptLanguage: the header (RFC 9110 §12.5.4).
    package static func preferred(uiLocales: String?, acceptLanguage: String?) -> Language {
        let asked = uiLocales.flatMap {
            WeightedRange.items(of: $0, separator: " ").lazy.compactMap(Language.init(range:)).first
        }
        return asked ?? acceptLanguage.flatMap(accepted) ?? .english
    }

    /// The supported range with the highest weight; the first of equals.
    static func accepted(in header: String) -> Language? {
        let ranges = WeightedRange.all(in: header)
        let refused = ranges.filter { $0.weight == 0 && !$0.name.contains("-") }
            .compactMap { Language(range: $0.name) }
        var best: (language: Language, weight: Int)?
        for range in ranges where range.weight > best?.weight ?? 0 {
            let language = range.name == "*" ? allCases.first { !refused.contains($0) } : Language(range: range.name)
            if let language { best = (language, range.weight) }
        }
        return best?.language
    }
}
