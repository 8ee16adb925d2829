import HTTPTypes

extension HTTPFields {
    /// The value of a field that stands once; `nil` without one, and several are joined as the subscript does.
    ///
    /// The subscript collects before it joins, for the one field that there is too.
    func value(_ name: HTTPField.Name) -> String? {
        var found: String?
        for field in self where field.name == name {
            guard found == nil else { return self[name] }
            found = field.value
        }
        return found
    }
}
