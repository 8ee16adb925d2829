/// `GET …/secret`, and the answer to its `POST`, which alone contains the secret.
struct ClientSecretPage: ConsolePage {
    static let template = "console_client_secret"

    let frame: ConsoleFrame?
    let client: Facts
    /// Nil while the page asks for the reason.
    let secret: String?
    /// Whether the app was just added.
    let isNew: Bool
    /// Whether the box for a sealed secret is ticked.
    let keepsSealed: Bool
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.client.secret"), "face": writer.clientFace(client),
            "target": writer.exact(ClientsPage.address(of: client.id, "secret")), "reason": writer.exact(reason),
            "cancel": writer.link(isNew ? QuickstartPage.address(of: client.id) : ClientsPage.address(of: client.id)),
            "chosen": writer.fields([FormVerdict.once()]), "keeps_sealed": keepsSealed,
        ]
        values.set("secret", secret.map { writer.exact($0) })
        return values
    }
}
