import Pages

/// `POST` of the form: shows the changes, before a reason is given.
struct ClientConfirmPage: ConsolePage {
    static let template = "console_client_confirm"

    let frame: ConsoleFrame?
    let client: Facts
    let before: ClientFields
    let after: ClientFields
    let reason: String
    /// A digest of ``before``, which the confirmation form carries.
    let shown: String

    /// Whether the app will know its users by other subjects, so that they look new to it.
    private var changesSubjects: Bool { before.texts["openid_subject_type"] != after.texts["openid_subject_type"] }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let names = ClientFields.names.filter { before.value($0) != after.value($0) }
        var values: [String: Any] = [
            "title": writer.message("console.client.change"), "reason": writer.exact(reason),
            "target": writer.exact(ClientsPage.address(of: client.id, "change")),
            "cancel": writer.link(ClientsPage.address(of: client.id)), "face": writer.clientFace(client),
            "chosen": writer.fields(after.hidden + FormVerdict.confirming(shown)),
            "differences": names.map { name in
                [
                    "setting": writer.message("console.client.\(name)"), "before": writer.lines(of: name, before),
                    "after": writer.lines(of: name, after),
                ] as [String: Any]
            },
        ]
        values.set("warning", changesSubjects ? writer.message("console.client.subjects_change") : nil)
        return values
    }
}
