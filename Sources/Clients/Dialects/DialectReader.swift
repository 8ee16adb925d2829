import JSON

/// The settings of one dialect.
protocol DialectSettings {
    /// Reads the members; a fault of the reader makes the settings unusable.
    init(_ reader: inout DialectReader)
}

/// Reads the members of one dialect's settings, and collects every fault.
struct DialectReader {
    private let dialect: TokenDialect
    private let json: JSONObject
    private(set) var faults: [ClientDialects.Fault] = []

    /// - Parameter known: the possible members.
    init(_ dialect: TokenDialect, _ json: JSONObject, known: [String]) {
        (self.dialect, self.json) = (dialect, json)
        for member in json.members where !known.contains(member.name) { note(member.name, "unknown_member") }
    }

    /// - Parameter holds: whether a text has the right form.
    mutating func required(_ name: String, _ holds: (String) -> Bool) -> String {
        if json[name]?.isNull ?? true { note(name, "required") }
        return optional(name, holds) ?? ""
    }

    /// Nil if the member is absent or null.
    mutating func optional(_ name: String, _ holds: (String) -> Bool) -> String? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let text = value.string else {
            note(name, "must_be_text")
            return nil
        }
        if !holds(text) { note(name, "malformed") }
        return text
    }

    /// False if the member is absent.
    mutating func flag(_ name: String) -> Bool {
        let value = json[name] ?? false
        if value.bool == nil { note(name, "must_be_boolean") }
        return value.bool ?? false
    }

    private mutating func note(_ name: String, _ reason: String) {
        faults.append(ClientDialects.Fault(path: [dialect.rawValue, name], reason: reason))
    }
}
