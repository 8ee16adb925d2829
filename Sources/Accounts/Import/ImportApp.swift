import JSON

/// The app to which the accounts of an import belong: its back end reaches them.
package struct ImportApp: Sendable {
    package let id: String
    /// The names of its attributes in an account, by the app's own names.
    private let keys: [String: String]

    package init(id: String, keys: [String: String]) {
        (self.id, self.keys) = (id, keys)
    }

    /// Values of its attributes by their names in an account.
    func stored(_ values: JSONObject) throws(ImportRefusal) -> JSONObject {
        var stored = JSONObject()
        for member in values.members {
            guard let key = keys[member.name] else { throw .invalidAttributes }
            stored[key] = member.value
        }
        return stored
    }
}
