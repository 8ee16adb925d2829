import Clients

/// `GET /admin/clients/{id}/quickstart`: the app's values for code, providers and known software.
struct QuickstartPage: ConsolePage {
    static let template = "console_quickstart"

    let frame: ConsoleFrame?
    let client: Facts
    let provider: KnownSoftware.Provider
    /// The return addresses to register at the app's providers.
    let callbacks: [(provider: String, address: String)]
    /// Whether the app was just added.
    let isNew: Bool

    static func address(of id: String) -> String { ClientsPage.address(of: id, "quickstart") }

    private var app: AppSnippet.App {
        AppSnippet.App(
            issuer: provider.issuer, clientID: provider.clientID, redirectURIs: client.names("redirect_uris"),
            hasSecret: client.flag("has_secret"))
    }

    private var isPublic: Bool { client["type"] == Client.Kind.public.rawValue }

    /// The software that can use the app: a public one has no secret for the settings.
    private var known: [KnownSoftware] {
        KnownSoftware.known.filter { !isPublic || $0.demands.contains(.isPublic) }
    }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let setting = writer.message("console.client.redirect_uris")
        var values: [String: Any] = [
            "title": writer.message("console.quickstart.title"), "face": writer.clientFace(client),
            "back": writer.link(ClientsPage.address(of: client.id)), "issuer": writer.exact(provider.issuer),
            "metadata": writer.exact(provider.metadata), "client": writer.exact(provider.clientID),
            "lacks": writer.sentence("console.quickstart.lacks_redirect", ["setting": setting]),
            "snippets": AppSnippet.all.map { snippet($0, &writer) },
            "has_callbacks": !callbacks.isEmpty,
            "callbacks": callbacks.map { callback in
                var values = writer.provider(callback.provider)
                values["callback"] = writer.exact(callback.address)
                return values
            },
            "known": known.map { part($0, &writer) },
        ]
        if !isPublic {
            values["copy"] = writer.sentence(
                "console.relying_party.copy", ["secret": KnownSoftware.secret, "setting": setting])
        }
        values.set("done", isNew ? writer.message("console.client_done.made") : nil)
        return values
    }

    private func snippet(_ snippet: AppSnippet, _ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "platform": snippet.platform, "platform_label": writer.message("console.quickstart.\(snippet.platform)"),
            "code": writer.exact(snippet.code(app)), "lacks_redirect": snippet.lacksRedirect(app),
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
