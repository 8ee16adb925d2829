import Clients
import JSON

/// A dialect in the form of an app: one field for each member of its settings.
///
/// The label of a field is the message `console.client.<it>`; `<dialect>_hint` explains the dialect.
struct DialectFields: Sendable {
    /// The name of the dialect, with which its fields begin.
    let name: String
    private let members: [String]
    /// The members with texts; without any the dialect is off.
    var texts: [String] { members.map { "\(name)_\($0)" } }
    private let flags: [String]
    /// The members that are true or false.
    var boxes: [String] { flags.map { "\(name)_\($0)" } }
    /// A member with a few values; the first is its default.
    let choice: FieldChoice?
    var all: [String] { texts + boxes + (choice.map { [$0.field] } ?? []) }

    private init(
        _ dialect: TokenDialect, _ members: [String], flags: [String], choosing member: String? = nil,
        from values: [String] = []
    ) {
        (name, self.members, self.flags) = (dialect.rawValue, members, flags)
        choice = member.map { FieldChoice(of: dialect.rawValue, member: $0, values: values) }
    }

    static let cognito = DialectFields(
        .cognito, ["pool_id", "client_id", "exchange_audiences"], flags: ["reveals_users", "strict_pkce"],
        choosing: "remembers_devices", from: CognitoApp.DeviceTracking.allCases.map(\.rawValue))
    static let ofVendors = [cognito, nativeAuth]
    static let nativeAuth = DialectFields(
        .nativeAuth, ["tenant_id", "tenant_name", "application_id"], flags: ["reveals_users"])

    /// The entries of an app's settings.
    func entries(_ dialects: Facts) -> [(field: String, text: String)] {
        let app = dialects.part(name)
        let typed = zip(texts, members).map { (field: $0, text: app[$1] ?? "") }
        let ticked = zip(boxes, flags).map { (field: $0, text: app.flag($1) ? "1" : "") }
        return typed + ticked + (choice.map { [(field: $0.field, text: app[$0.member] ?? "")] } ?? [])
    }

    /// The settings; nil if no id is entered.
    func settings(_ entries: [String: String]) -> JSONObject? {
        var app: JSONObject = [:]
        for (field, member) in zip(texts, members) {
            let text = ClientFields.lines(entries[field] ?? "").joined(separator: " ")
            if !text.isEmpty { app[member] = .string(text) }
        }
        guard !app.members.isEmpty else { return nil }
        for (box, flag) in zip(boxes, flags) { app[flag] = .bool(ClientFields.isOn(box, entries)) }
        if let choice, let value = entries[choice.field], !value.isEmpty { app[choice.member] = .string(value) }
        return app
    }
}

extension ClientFields {
    /// The fields of every dialect.
    static let dialects = DialectFields.ofVendors.flatMap(\.all)

    static func dialectTexts(_ dialects: Facts) -> [String: String] {
        Dictionary(uniqueKeysWithValues: DialectFields.ofVendors.flatMap { $0.entries(dialects) }.map { ($0, $1) })
    }

    /// The dialects with an entered id.
    static func dialects(_ texts: [String: String]) -> JSON {
        var dialects: JSONObject = [:]
        for fields in DialectFields.ofVendors { dialects[fields.name] = fields.settings(texts).map(JSON.object) }
        return .object(dialects)
    }
}
