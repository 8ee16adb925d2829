import JSON
import Pages

/// The settings of an endpoint in a form.
struct EndpointFields: Sendable {
    /// In the order of the form; the label of each is the message `console.endpoint.<it>`.
    static let names = ["url", "types", "client_id"]
    private static let box = "type_"

    let url: String
    let types: [String]
    /// Empty for every app.
    let client: String

    static let ofNew = EndpointFields(Facts(nil))

    init(_ endpoint: Facts) {
        (url, types, client) = (endpoint["url"] ?? "", endpoint.names("types"), endpoint["client_id"] ?? "")
    }

    /// - Parameter fields: the submitted values; missing ones are empty.
    init(form fields: [(name: String, value: String)]) {
        url = fields.first { $0.name == "url" }?.value ?? ""
        client = fields.first { $0.name == "client_id" }?.value ?? ""
        types = fields.filter { $0.name.hasPrefix(Self.box) && !$0.value.isEmpty }
            .map { String($0.name.dropFirst(Self.box.count)) }
    }

    static func fieldName(ofType type: String) -> String { box + type }

    /// For the fields of another form.
    var hidden: [HiddenField] {
        [HiddenField(name: "url", value: url), HiddenField(name: "client_id", value: client)]
            + types.map { HiddenField(name: Self.fieldName(ofType: $0), value: "1") }
    }

    /// The differences from the current settings, by the names of the API.
    func members(unlike other: EndpointFields) -> JSONObject {
        var members: JSONObject = [:]
        for name in Self.names where value(name) != other.value(name) { members[name] = value(name) }
        return members
    }

    /// All of them, by the names of the API.
    var members: JSONObject { JSONObject(Self.names.map { JSONObject.Member(name: $0, value: value($0)) }) }

    func value(_ name: String) -> JSON {
        switch name {
        case "types": .array(types.sorted().map { .string($0) })
        case "client_id": client.isEmpty ? .null : .string(client)
        default: .string(url)
        }
    }
}

extension ConsoleWriter {
    /// A setting for display.
    mutating func lines(of name: String, _ fields: EndpointFields) -> [String] {
        switch name {
        case "types":
            let all = [message("console.endpoint.all_types")]
            return fields.types.isEmpty ? all : fields.types.sorted().map { shown($0) }
        case "client_id":
            return [fields.client.isEmpty ? message("console.endpoint.any_client") : shown(fields.client)]
        default: return [fields.url.isEmpty ? message("console.none") : shown(fields.url)]
        }
    }
}
