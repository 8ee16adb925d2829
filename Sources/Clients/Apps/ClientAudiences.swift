package import JSON

/// The audiences that a client accepts, by provider: `{"apple": ["com.example.app"]}`.
extension [String: [String]] {
    package var json: JSON {
        var object: JSONObject = [:]
        for provider in keys.sorted() { object[provider] = .array((self[provider] ?? []).map(JSON.string)) }
        return .object(object)
    }

    /// An entry that is not a list of texts allows nothing.
    package init(_ json: JSON) {
        self.init(
            (json.object ?? [:]).members.map { ($0.name, $0.value.array?.compactMap(\.string) ?? []) },
            uniquingKeysWith: { first, _ in first })
    }
}
