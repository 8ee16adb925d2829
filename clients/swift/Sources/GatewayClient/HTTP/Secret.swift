/// A token or a password that no log and no debugger's summary shows.
struct Secret: Sendable, Hashable, Codable, CustomStringConvertible, CustomReflectable {
    let value: String

    init(_ value: String) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
