import JSON

extension JSONObject {
    /// The same members, replaced or extended by those of `changes`; null removes one.
    func overridden(by changes: JSONObject) -> JSONObject {
        var result = self
        for change in changes.members {
            // Written out, since a bare nil here could also mean the JSON value null.
            result[change.name] = change.value.isNull ? Optional<JSON>.none : change.value
        }
        return result
    }

    /// The same members with the named ones set to a literal null, which `overridden` cannot express.
    func settingNull(_ names: [String]) -> JSONObject {
        var result = self
        for name in names { result[name] = JSON.null }
        return result
    }

    /// Adds a member unless the text is nil.
    mutating func add(_ name: String, _ text: String?) {
        if let text { self[name] = .string(text) }
    }
}
