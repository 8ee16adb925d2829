/// A text of the catalogue with placeholders, written `{name}`.
struct MessageText: Sendable, Equatable {
    let source: String
    let places: Set<String>

    /// Nil for an empty text, a line break, or an unbalanced brace.
    init?(_ source: String) {
        guard !source.isEmpty, !source.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        let parts = source.split(separator: "{", omittingEmptySubsequences: false)
        guard let first = parts.first, !first.contains("}") else { return nil }
        var places: Set<String> = []
        for part in parts.dropFirst() {
            let halves = part.split(separator: "}", omittingEmptySubsequences: false)
            guard halves.count == 2, let name = halves.first, !name.isEmpty,
                name.allSatisfy({ $0.isASCII && $0.isLowercase })
            else { return nil }
            places.insert(String(name))
        }
        (self.source, self.places) = (source, places)
    }

    /// The text with filled placeholders, in one pass: a value is never searched for placeholders.
    func filled(_ values: [String: String]) -> String {
        let parts = source.split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let halves = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            text += (values[String(halves[0])] ?? "") + halves[1]
        }
    }
}
