import JSON

extension FormBody {
    /// What was answered, in the names that the steps read.
    var stepResponse: JSONObject {
        var response = JSONObject()
        for name in ["code", "password", "new_password", "email", "phone", "recovery_code", "answer", "factor"] {
            response[name] = self[name].map(JSON.string)
        }
        // Left as text where it is no object: then it is refused as what it is.
        if let text = self["credential"] {
            let credential = (try? JSON(parsing: text))?.object
            response["credential"] = credential.map(JSON.object) ?? .string(text)
        }
        let attributes = names.filter { $0.hasPrefix(StepPage.Attribute.prefix) }.map { name in
            JSONObject.Member(
                name: String(name.dropFirst(StepPage.Attribute.prefix.count)), value: .string(self[name] ?? ""))
        }
        if !attributes.isEmpty { response["attributes"] = .object(JSONObject(attributes)) }
        if self["remember_device"] == "true" { response["remember_device"] = true }
        return response
    }
}
