import Settings

/// The well-formed values that production refuses, because the example file publishes them.
enum ProductionRules {
    /// The made-up values in `.env.example` for the simulator.
    private static let wellKnown: Set<String> = Set(
        ConfigurationKey.all.flatMap { [$0.example] + $0.examplesByID.values }.flatMap { example -> [String] in
            guard case .madeUp(let value) = example else { return [] }
            return value.split(separator: ",").map(String.init)
        })

    /// Complains about every value from the example file.
    static func check(_ settings: inout SettingsReader) {
        var seen: Set<String> = []
        for reading in settings.readings where reading.isSet && seen.insert(reading.key.name).inserted {
            guard let value = settings.wellFormed(reading.key),
                value.split(separator: ",").contains(where: isExample)
            else { continue }
            settings.complain(reading.key, "is an example value: production needs your own")
        }
    }

    private static func isExample(_ entry: Substring) -> Bool {
        let text = ValueShape.trimmed(entry)
        return wellKnown.contains(text) || text.hasPrefix("example") || text.hasPrefix("com.example.")
            || text.hasSuffix(".example")
    }
}
