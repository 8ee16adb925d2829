package import Settings

/// Finds unknown keys, which are probably misspelt, and suggests the nearest existing key.
package enum UnknownKeys {
    /// Complains about an unknown key with one of our prefixes, or with a small difference from a real key.
    package static func complaints(about names: some Sequence<String>, providers: [String]) -> [ConfigurationError
        .Complaint]
    {
        let known = knownNames(providers: providers)
        let prefixes = Set(known.map(prefix))
        return names.sorted().compactMap { name in
            guard !known.contains(name) else { return nil }
            guard let nearest = NearestWord.find(name, among: known) else { return nil }
            let isSlip = nearest.distance <= 2 && abs(nearest.word.utf8.count - name.utf8.count) <= 1
            guard prefixes.contains(prefix(name)) || isSlip else { return nil }
            let hint = nearest.distance <= max(3, name.utf8.count / 3) ? "; did you mean \(nearest.word)?" : ""
            return .init(key: name, text: "is no key of the gateway\(hint)")
        }
    }

    /// Complains about variables of the process with a small difference from a key.
    ///
    /// Other programs' variables can have prefixes like ours (`SMTP_`, `LOG_`). Some differ from a key in two letters
    /// (`HTTP_HOST`). Therefore only names count that share the prefix and are long enough to rule out chance.
    static func slips(among names: some Sequence<String>, providers: [String]) -> [ConfigurationError.Complaint] {
        let known = knownNames(providers: providers)
        return names.sorted().compactMap { name in
            let length = name.utf8.count
            guard length >= 8, !known.contains(name) else { return nil }
            let alike = known.filter { $0.utf8.first == name.utf8.first && abs($0.utf8.count - length) <= 2 }
            guard let nearest = NearestWord.find(name, among: alike), nearest.distance <= (length < 12 ? 1 : 2) else {
                return nil
            }
            return .init(key: name, text: "is no key of the gateway; did you mean \(nearest.word)?")
        }
    }

    private static func knownNames(providers: [String]) -> [String] {
        ConfigurationKey.all.flatMap { key in
            key.name.contains(ConfigurationKey.idPlaceholder)
                ? providers.map { key.named(for: $0).name } : [key.name]
        }
    }

    /// The part up to the first underscore: `MAIL_FROM` belongs to `MAIL`.
    private static func prefix(_ name: String) -> String {
        name.firstIndex(of: "_").map { String(name[..<$0]) } ?? name
    }
}
