import HTTPServer
import JSON

/// The fields of the form that adds a user.
struct NewAccountFields: Equatable {
    let email: String
    let isVerified: Bool
    let name: String
    /// Empty for no app.
    let client: String
    let isInvited: Bool

    static let ofNew = NewAccountFields(email: "", isVerified: false, name: "", client: "", isInvited: true)

    init(email: String, isVerified: Bool, name: String, client: String, isInvited: Bool) {
        (self.email, self.isVerified, self.name) = (email, isVerified, name)
        (self.client, self.isInvited) = (client, isInvited)
    }

    init(_ form: FormBody) {
        self.init(
            email: form["email"] ?? "", isVerified: form["verified"] != nil, name: form["name"] ?? "",
            client: form["client_id"] ?? "", isInvited: form["invite"] != nil)
    }

    /// By the names of the API.
    var members: JSONObject {
        [
            "email": .string(email), "email_verified": .bool(isVerified),
            "display_name": name.isEmpty ? .null : .string(name),
            "client_id": client.isEmpty ? .null : .string(client), "invite": .bool(isInvited),
        ]
    }
}

/// `GET /admin/new-account`.
struct NewAccountPage: ConsolePage {
    static let template = "console_new_account"
    static let path = "/admin/new-account"

    let frame: ConsoleFrame?
    let fields: NewAccountFields
    let clients: [(id: String, name: String)]
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.new_account.title"), "target": writer.exact(Self.path),
            "email": writer.exact(fields.email), "is_verified": fields.isVerified, "name": writer.exact(fields.name),
            "is_invited": fields.isInvited, "reason": writer.exact(reason), "cancel": writer.link(SearchPage.path),
            "chosen": writer.fields([FormVerdict.once()]),
            "clients": clients.map { client in
                [
                    "choice": writer.exact(client.id), "choice_label": writer.shown(client.name),
                    "is_chosen": client.id == fields.client,
                ] as [String: Any]
            },
        ]
    }
}
