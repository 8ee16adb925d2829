import Accounts
import Audit
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry
import Vocabulary

/// Search and display of accounts.
extension ConsoleDoor {
    private static let pageSize = 25
    /// The number of newest events in which an account's page looks for refused sign-ins; no index finds only those.
    private static let eventsForRefusals = 200
    private static let refusalsOfPage = 5
    private static let signIns: Set = [
        "sign_in", "continue_sign_in", "callback", "start_redirect", "continue_signed_in", "forgot_password",
        "reset_password", "step_up", "authorize",
    ]

    /// `GET /admin/accounts`: `q`, `cursor`.
    @Sendable func search(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.searchAccounts, request, context) { visit in
            let typed = visit.fields["q"] ?? ""
            // An invalid cursor shows the first page.
            let cursor = visit.fields["cursor"].flatMap { SearchCursor($0) }
            let page = try await services.search.page(typed, after: cursor, limit: Self.pageSize, by: visit.actor)
            return show(
                SearchPage(
                    frame: frame(visit), typed: typed, request: try await referenced(by: typed, visit),
                    accounts: page.accounts, next: page.next?.description, isFirst: cursor == nil,
                    mayAdd: visit.mayDo(.createAccount)), visit.call)
        }
    }

    /// The events and the costs of a request, by its typed reference; nil for another text and an unknown request.
    private func referenced(by typed: String, _ visit: ConsoleVisit) async throws -> SearchPage.Request? {
        guard let reference = RequestReference.find(in: typed) else { return nil }
        var filter = AuditFilter()
        filter.requestID = reference
        let events = try await services.audit.page(filter, before: nil, limit: Self.pageSize, by: visit.actor).events
        let costs = requests.request(String(reference.prefix(RequestReference.length)))
        guard !events.isEmpty || costs != nil else { return nil }
        return SearchPage.Request(
            reference: reference, events: events.map { Facts($0.json) },
            names: try await services.audit.names(of: events, by: visit.actor), costs: costs,
            trace: costs.flatMap(requests.traceAddress))
    }

    /// `GET /admin/accounts/{id}`: `before` (an event's id), `done` and `change` (the last change).
    @Sendable func account(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { visit in
            let id = try Self.pathID(context)
            let dossier: Facts
            do {
                dossier = Facts(try await services.records.dossier(id, by: visit.actor))
            } catch AdminRefusal.notFound {
                return try await keys(ofActor: id, visit)
            }
            let suggestions = try await services.records.suggestions(id, by: visit.actor)
            let before = visit.fields["before"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            // The first page also looks for refused sign-ins among older events.
            let events = try await services.records.history(
                id, before: before, limit: before == nil ? Self.eventsForRefusals : Self.pageSize + 1, by: visit.actor)
            return show(record(dossier, suggestions, events.array ?? [], visit), visit.call)
        }
    }

    private func record(_ account: Facts, _ suggestions: JSON, _ events: [JSON], _ visit: ConsoleVisit) -> RecordPage {
        let shown = events.prefix(Self.pageSize).map { Facts($0) }
        let hint = Self.hint(account, visit)
        return RecordPage(
            frame: frame(visit), account: account, suggestions: (suggestions.array ?? []).map { Facts($0) },
            events: shown, refusals: visit.fields["before"] == nil ? Self.refusedSignIns(events) : [],
            before: events.count > Self.pageSize ? shown.last?.number("id") : nil,
            offered: hint == nil ? AccountAction.offered(for: AccountState(account.members), to: visit.role) : [],
            hint: hint,
            done: AccountAction.all.first { $0.name == visit.fields["done"] }, change: visit.fields["change"],
            now: RFC3339.text(web.directory.now))
    }

    private static func refusedSignIns(_ events: [JSON]) -> [Facts] {
        let refused = events.lazy.map { Facts($0) }.filter { event in
            event["outcome"] == "refused" && signIns.contains(event["action"] ?? "")
        }
        return Array(refused.prefix(refusalsOfPage))
    }

    /// The reason why no role allows this operator to change this account.
    private static func hint(_ account: Facts, _ visit: ConsoleVisit) -> String? {
        if account.id == visit.account.text { return "own" }
        return account["role"] != nil && visit.role < .owner ? "of_operator" : nil
    }
}
