package import HTTPTypes

extension HTTPFields {
    /// The same as the subscript, without its arrays for a single field (docs/decisions/0018).
    package func value(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
