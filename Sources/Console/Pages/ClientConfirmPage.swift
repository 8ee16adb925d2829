import Pages

/// `POST` of the form: shows the changes, before a reason is given.
struct ClientConfirmPage: ConsolePage {
    static let template = "console_client_confirm"

    let frame: ConsoleFrame?
    let client: Facts?
    let id: String
    let isConfidential: Bool
    let before: ClientFields
    let after: ClientFields
    let reason: String
    /// A digest of ``before``, which the confirmation form carries.
    let shown: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let isNew = client == nil
        let names = ClientFields.names.filter { isNew || before.value($0) != after.value($0) }
        let own =
            isNew
            ? [HiddenField(name: "id", value: id)]
                + (isConfidential ? [HiddenField(name: "confidential", value: "1")] : []) : []
        var values: [String: Any] = [
            "title": writer.message(isNew ? "console.client.new" : "console.client.change"), "is_new": isNew,
            "new_id": writer.shown(id), "is_confidential": isConfidential, "reason": writer.exact(reason),
            "target": writer.exact(client.map { ClientsPage.address(of: $0.id, "change") } ?? ClientsPage.newPath),
            "cancel": writer.link(client.map { ClientsPage.address(of: $0.id) } ?? ClientsPage.path),
            "chosen": writer.fields(own + after.hidden + FormVerdict.confirming(shown)),
            "differences": names.map { name in
                [
                    "setting": writer.message("console.client.\(name)"), "before": writer.lines(of: name, before),
                    "after": writer.lines(of: name, after),
                ] as [String: Any]
            },
        ]
        values.set("face", client.map { writer.clientFace($0) })
        return values
    }
}
