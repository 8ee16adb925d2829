import JSON

/// `GET /admin/clients`: the registered apps.
struct ClientsPage: ConsolePage {
    static let template = "console_clients"
    static let path = "/admin/clients"
    static let newPath = "/admin/new-client"

    let frame: ConsoleFrame?
    let clients: [Facts]
    let mayChange: Bool

    static func address(of id: String, _ page: String = "") -> String {
        "\(path)/\(id)" + (page.isEmpty ? "" : "/\(page)")
    }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.nav.clients"), "has_clients": !clients.isEmpty,
            "clients": clients.map { row($0, &writer) }, "agents": writer.link(AgentsPage.path),
        ]
        values.set("new", mayChange ? writer.link(Self.newPath) : nil)
        return values
    }

    private func row(_ client: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row = writer.clientFace(client)
        row.set("origin", writer.shown(ifAny: client.names("origins").first))
        return row
    }
}

/// `GET /admin/clients/{id}`: one app.
struct ClientPage: ConsolePage {
    static let template = "console_client"
    static let messages = ["changed", "revoked"]

    let frame: ConsoleFrame?
    let client: Facts
    /// The recent decisions of each linking policy.
    let linking: [LinkingCount]
    let mayChange: Bool
    /// The completed action: the message `console.client_done.<it>`.
    let done: String?

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let fields = ClientFields(client)
        var values = writer.clientFace(client)
        values["title"] = writer.message("console.client.title", ["name": client["name"] ?? client.id])
        values["settings"] = ClientFields.names.map { name in
            ["setting": writer.message("console.client.\(name)"), "lines": writer.lines(of: name, fields)]
                as [String: Any]
        }
        values["linking"] = linking.map { $0.values(&writer) }
        values.set(
            "done", done.flatMap { Self.messages.contains($0) ? writer.message("console.client_done.\($0)") : nil })
        values.set("change", mayChange ? writer.link(ClientsPage.address(of: client.id, "change")) : nil)
        let isAgent = client.members["agent"]?.object != nil
        values.set("keys", isAgent ? nil : writer.link(AccessKeysPage.address(of: client.id)))
        values.set("agent", isAgent ? writer.agentFacts(client) : nil)
        let mayRevoke = isAgent && mayChange && client.mayBeRevoked
        values.set("revoke", mayRevoke ? writer.link(ClientsPage.address(of: client.id, "revoke")) : nil)
        values["quickstart"] = writer.link(QuickstartPage.address(of: client.id))
        values.set("secret", mayChange ? writer.link(ClientsPage.address(of: client.id, "secret")) : nil)
        return values
    }
}

/// The decisions of a linking policy.
struct LinkingCount: Sendable {
    let policy: String
    let links: Int
    let asks: Int
    let newAccounts: Int

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "policy": policy, "policy_label": writer.message("console.linking.\(policy)"),
            "counts": writer.sentence(
                "console.linking.counts", ["links": "\(links)", "asks": "\(asks)", "made": "\(newAccounts)"]),
        ]
    }
}
