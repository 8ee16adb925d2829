import Accounts
import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages

/// Adding a user.
extension ConsoleDoor {
    /// `GET /admin/new-account`.
    @Sendable func newAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.createAccount, request, context) { visit in
            try await services.operators.check(.createAccount, of: [], by: visit.actor)
            return show(try await newAccountPage(visit), visit.call)
        }
    }

    /// `POST /admin/new-account`: `email`, `verified`, `name`, `client_id`, `invite` and `reason`.
    @Sendable func createAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.createAccount, request, context, back: NewAccountPage.path, counts: false) { visit in
            try await doing(.createAccount, visit) {
                let new = try NewAccount(NewAccountFields(visit.fields).members)
                let account = try await services.creation.create(
                    new, once: visit.once, because: visit.reason(), by: visit.actor)
                guard !new.isInvited else { return Self.done(.invite, account, visit) }
                return .seeOther(
                    ConsoleAddress.of(
                        ConsoleAddress.ofAccount(account.text), Site.localesParameter(visit.call.locales)))
            } again: { problem in
                try await newAccountPage(visit, problem)
            }
        }
    }

    private func newAccountPage(_ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil) async throws -> NewAccountPage
    {
        let clients = try await services.clients.list(by: visit.actor).map { Facts($0) }
        let fields = problem == nil ? NewAccountFields.ofNew : NewAccountFields(visit.fields)
        return NewAccountPage(
            frame: frame(visit, .search, problem), fields: fields,
            clients: clients.map { ($0.id, $0["name"] ?? $0.id) }, reason: visit.fields["reason"] ?? "")
    }
}
