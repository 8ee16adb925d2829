/// What production refuses although it reads well: values that everybody knows from the example file.
enum ProductionRules {
    /// The simulator's made-up secrets and ids, which `.env.example` carries.
    private static let wellKnown: Set<String> = [
        "amazon-secret", "google-secret", "acme-secret", "acme-client", "cognitoclient0000000000001", "TEAM123456",
        "DEVKEY1234", "us-east-1_Example01", "google-client.apps.googleusercontent.com",
        "11111111-2222-3333-4444-555555555555", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "bbbbbbbb-cccc-dddd-eeee-ffffffffffff", "amzn1.application-oa2-client.example", "amzn1.application.example",
        "microsoft-secret", "Iv1.examplegithub01", "github-secret",
    ]

    /// Complains about every value that came from the example.
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
