import Settings

/// The effective settings as a table for people; secrets appear as "set" or "not set".
package enum ConfigurationSummary {
    /// - Parameter withDefaults: whether settings that were not set are listed as well.
    package static func text(_ configuration: GatewayConfiguration, withDefaults: Bool = true) -> String {
        let rows = unique(configuration.readings).filter { withDefaults || $0.isSet }
        let width = rows.map(\.key.name.utf8.count).max() ?? 0
        let lines = rows.map { row in
            let padding = String(repeating: " ", count: width - row.key.name.utf8.count)
            return "\(row.key.name)\(padding)  \(row.isSet || row.shown == "not set" ? "" : "(default) ")\(row.shown)"
        }
        let providers = (configuration.providers.ids + ["password"]).joined(separator: ", ")
        return (lines + ["", "Providers: \(providers)", "The configuration is in order."]).joined(separator: "\n")
    }

    /// The settings with what the table shows of them.
    package static func settings(_ configuration: GatewayConfiguration) -> [(name: String, shown: String)] {
        unique(configuration.readings).map { ($0.key.name, $0.shown) }
    }

    private static func unique(_ readings: [SettingsReader.Reading]) -> [SettingsReader.Reading] {
        var seen: Set<String> = []
        return readings.filter { seen.insert($0.key.name).inserted }
    }
}
