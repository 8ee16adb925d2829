/// `GET /admin/agents`: the apps that no operator brought.
struct AgentsPage: ConsolePage {
    static let template = "console_agents"
    static let path = "/admin/agents"
    /// The messages `console.agents.<it>`.
    static let origins = ["document", "registration", "invited"]

    let frame: ConsoleFrame?
    let typed: String
    let agents: [Facts]
    /// The cursor of the next page.
    let next: String?
    let isFirst: Bool
    let mayRevoke: Bool

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.agents.title"), "typed": writer.exact(typed), "target": Self.path,
            "has_agents": !agents.isEmpty, "agents": agents.map { row($0, &writer) },
        ]
        let query = typed.isEmpty ? [] : [(name: "q", value: typed)]
        values.set("next", next.map { writer.link(Self.path, query + [(name: "cursor", value: $0)]) })
        values.set("first", isFirst ? nil : writer.link(Self.path, query))
        return values
    }

    private func row(_ client: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row = writer.clientFace(client)
        row.merge(writer.agentFacts(client)) { _, new in new }
        let address = writer.link(ClientsPage.address(of: client.id, "revoke"))
        row.set("revoke", mayRevoke && client.mayBeRevoked ? address : nil)
        return row
    }
}

/// `GET /admin/clients/{id}/revoke`: asks for the reason.
struct AgentRevocationPage: ConsolePage {
    static let template = "console_agent_revocation"

    let frame: ConsoleFrame?
    let client: Facts
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values = writer.agentFacts(client)
        values["title"] = writer.message("console.agents.revoke")
        values["face"] = writer.clientFace(client)
        values["target"] = writer.exact(ClientsPage.address(of: client.id, "revoke"))
        values["cancel"] = writer.link(ClientsPage.address(of: client.id))
        values["reason"] = writer.exact(reason)
        return values
    }
}

extension Facts {
    /// Whether an agent is enabled, or may come back by itself.
    var mayBeRevoked: Bool { !flag("disabled") || part("agent").flag("withdrawn") }
}

extension ConsoleWriter {
    /// What a page shows of an agent beside its settings.
    mutating func agentFacts(_ client: Facts) -> [String: Any] {
        let agent = client.part("agent")
        let origin = agent.flag("invited") ? "invited" : client["origin"] ?? ""
        var values: [String: Any] = ["accounts": "\(agent.number("accounts"))"]
        values.set("origin_label", AgentsPage.origins.contains(origin) ? message("console.agents.\(origin)") : nil)
        values.set("document", shown(ifAny: agent["document"]))
        values.set("host", shown(ifAny: agent["host"]))
        values.set("used", time(agent["last_used_at"]))
        return values
    }
}
