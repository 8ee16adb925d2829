import Audit
import JSON
import Telemetry

/// `GET /admin/accounts`: the account search.
struct SearchPage: ConsolePage {
    static let template = "console_search"
    static let path = "/admin/accounts"

    let frame: ConsoleFrame?
    let typed: String
    /// The request whose reference was typed.
    let request: Request?
    let accounts: [JSON]
    /// The cursor of the next page.
    let next: String?
    let isFirst: Bool
    /// Whether the operator may add users.
    let mayAdd: Bool

    /// A request by its reference, with its events, and its costs if this server remembers them.
    struct Request: Sendable {
        let reference: String
        let events: [Facts]
        let names: AuditNames
        let costs: SlowRequests.Entry?
        /// Its trace in the viewer.
        let trace: String?
    }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.search.heading"), "typed": writer.exact(typed),
            "has_accounts": !accounts.isEmpty, "accounts": accounts.map { writer.face(Facts($0)) },
        ]
        values.set(
            "request",
            request.map { request in
                [
                    "reference": writer.shown(request.reference),
                    "causes": request.events.map { writer.cause($0, names: request.names) },
                    "has_costs": request.costs != nil,
                    "costs": request.costs.map { [writer.costs($0, trace: request.trace)] } ?? [],
                ] as [String: Any]
            })
        let query = typed.isEmpty ? [] : [(name: "q", value: typed)]
        values.set("next", next.map { writer.link(Self.path, query + [(name: "cursor", value: $0)]) })
        values.set("new", mayAdd ? writer.link(NewAccountPage.path) : nil)
        values.set("first", isFirst ? nil : writer.link(Self.path, query))
        return values
    }
}
