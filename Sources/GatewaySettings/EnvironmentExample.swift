import Settings

/// The text of `.env.example`, from the declarations of the settings.
///
/// A test compares it with the file.
package enum EnvironmentExample {
    package static var text: String {
        ([opening] + ConfigurationKey.groups.map(section)).joined(separator: "\n\n")
    }

    private static let opening = """
        # The settings of the gateway. `make run` copies this to .env (mode 600) with fresh secrets.
        # Every setting is here; those behind a # show their form and are unset. docs/configuration.md has them as tables.
        # Write values plainly: no quotes, no comments behind them, commas between the entries of a list.
        # scripts/settings.sh writes this file from the declarations in the code.
        """

    private static func section(_ group: ConfigurationKey.Group, _ keys: [ConfigurationKey]) -> String {
        let title = group.note.map { "\(group.title): \($0)" } ?? group.title
        let lines = keys.filter { !$0.hasPlaceholder }.flatMap { entry($0, explained: true) } + byID(keys)
        return (["# --- \(title) ---", ""] + lines).joined(separator: "\n")
    }

    /// The keys that exist once for each id; the first occurrence has the explanation.
    private static func byID(_ keys: [ConfigurationKey]) -> [String] {
        let keys = keys.filter(\.hasPlaceholder)
        var explained: Set<String> = []
        return exampleIDs(keys).flatMap { id in
            keys.filter { $0.examplesByID[id] != nil || $0.standard != nil && !explained.contains($0.name) }
                .flatMap { key in entry(key.named(for: id), explained: explained.insert(key.name).inserted) }
        }
    }

    /// The example ids in the order of the first key's value, which lists them.
    private static func exampleIDs(_ keys: [ConfigurationKey]) -> [String] {
        let known = Set(keys.flatMap(\.examplesByID.keys))
        let listed = ConfigurationKey.all.compactMap { key -> [String]? in
            guard case .set(let value) = key.example, key.kind == .list else { return nil }
            let entries = value.split(separator: ",").map(String.init)
            return Set(entries) == known ? entries : nil
        }
        return listed.first ?? known.sorted()
    }

    private static func entry(_ key: ConfigurationKey, explained: Bool) -> [String] {
        let text = SettingText.of(key.summary) + (key.isSecret ? " Secret." : "")
        let comment = explained ? SettingText.wrapped(text, width: 116).map { "# \($0)" } : []
        return comment + [line(key)]
    }

    private static func line(_ key: ConfigurationKey) -> String {
        switch key.example {
        case .standard: key.standard.map { "\(key.name)=\($0)" } ?? "#\(key.name)="
        case .set(let value), .madeUp(let value): "\(key.name)=\(value)"
        case .form(let value): "#\(key.name)=\(value)"
        }
    }
}
