/// `GET /admin/clients/{id}/relying-party`: what to enter in software that signs its users in with this app.
struct RelyingPartyPage: ConsolePage {
    static let template = "console_relying_party"

    let frame: ConsoleFrame?
    let client: Facts
    let provider: KnownSoftware.Provider

    static func address(of id: String) -> String { ClientsPage.address(of: id, "relying-party") }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let setting = writer.message("console.client.redirect_uris")
        return [
            "title": writer.message("console.relying_party.title"), "face": writer.clientFace(client),
            "back": writer.link(ClientsPage.address(of: client.id)), "issuer": writer.exact(provider.issuer),
            "metadata": writer.exact(provider.metadata), "client": writer.exact(provider.clientID),
            "copy": writer.sentence(
                "console.relying_party.copy",
                ["secret": KnownSoftware.secret, "setting": setting]),
            "known": KnownSoftware.known.map { part($0, &writer) },
        ]
    }

    private func part(_ software: KnownSoftware, _ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "anchor": software.anchor, "software": writer.shown(software.name),
            "redirect": writer.exact(software.redirectURI),
            "demands": software.demands.map { ["demand": sentence($0, &writer)] },
            "settings": writer.exact(software.settings(provider)),
        ]
    }

    private func sentence(_ demand: KnownSoftware.Demand, _ writer: inout ConsoleWriter) -> [[String: Any]] {
        let key =
            switch demand {
            case .provesIfTold, .omitsProofKey: "console.client.openid_pkce_optional"
            case .isPublic: "console.client.type"
            case .readsIDToken: "console.client.openid_id_token_claims"
            }
        let setting = writer.message(key)
        return writer.sentence("console.relying_party.\(demand.rawValue)", ["setting": setting])
    }
}
