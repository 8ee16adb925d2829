import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry

/// Operators and their roles.
extension ConsoleDoor {
    private static let path = "/admin/operators"

    /// `GET /admin/operators`.
    @Sendable func operators(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showOperators, request, context) { visit in
            let entries = try await services.operators.list(by: visit.actor)
            return show(
                OperatorsPage(
                    frame: frame(visit, .operators), entries: entries.map { Self.entry($0, visit) },
                    maySay: visit.mayDo(.changeRole),
                    done: visit.fields["done"]), visit.call)
        }
    }

    /// `GET /admin/operators/change`: `do`, `account` (an id or a proved address), `role`.
    @Sendable func confirmRole(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeRole, request, context) { visit in
            let action = try Self.action(visit)
            let typed = visit.fields["account"] ?? ""
            let id = try await services.records.account(named: typed, by: visit.actor)
            try await services.operators.check(.changeRole, of: [id], by: visit.actor)
            return show(try await roleConfirmation(action, id, visit), visit.call)
        }
    }

    /// `POST /admin/operators/change`: the same with `reason`.
    @Sendable func changeRole(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeRole, request, context, back: Self.path, counts: false) { visit in
            let action = try Self.action(visit)
            let id = try visit.id("account")
            return try await doing(action.right, visit) {
                let reason = try visit.reason()
                var done = action.name
                if action == .grant {
                    let grant = try await services.operators.grant(
                        Self.role(visit), to: id, because: reason, by: visit.actor)
                    web.directory.forget(account: id)
                    if grant == .waitsForOwner { done = OperatorsPage.waiting }
                } else {
                    try await services.operators.withdraw(from: id, because: reason, by: visit.actor)
                }
                return .seeOther(
                    ConsoleAddress.of(
                        Self.path,
                        [(name: "done", value: done)] + Site.localesParameter(visit.call.locales)))
            } again: { problem in
                try await roleConfirmation(action, id, visit, problem)
            }
        }
    }

    private func roleConfirmation(
        _ action: AccountAction, _ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil
    ) async throws -> ConfirmChangePage {
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        let words = try web.renderer.messages.console(visit.call.language)
        var arguments = ["before": words.text("console.role.\(account["role"] ?? "none")")]
        var chosen = [
            HiddenField(name: "do", value: action.name), HiddenField(name: "account", value: id.text),
        ]
        if action == .grant {
            let role = try Self.role(visit).rawValue
            arguments["after"] = words.text("console.role.\(role)")
            chosen.append(HiddenField(name: "role", value: role))
        }
        let methods = action == .grant ? try await services.operators.methods(of: id, by: visit.actor) : []
        return ConfirmChangePage(
            frame: frame(visit, .operators, problem), action: action, account: account, arguments: arguments,
            endsSessions: nil, target: "/admin/operators/change", chosen: chosen, back: Self.path, asks: [],
            reason: visit.fields["reason"] ?? "", isComplete: true,
            methods: methods.map {
                .init(
                    kind: $0.kind, name: $0.name, since: $0.since, origin: $0.origin.map { MethodOrigin($0) })
            })
    }

    private static func action(_ visit: ConsoleVisit) throws(AdminRefusal) -> AccountAction {
        guard let action = AccountAction.ofRoles.first(where: { $0.name == visit.fields["do"] }) else {
            throw .notFound
        }
        return action
    }

    private static func role(_ visit: ConsoleVisit) throws(AdminRefusal) -> OperatorRole {
        guard let role = visit.fields["role"].flatMap(OperatorRole.init(rawValue:)) else {
            throw .invalidMember(pointer: "/role", reason: "not_a_role")
        }
        return role
    }

    private static func entry(_ entry: OperatorDesk.Entry, _ visit: ConsoleVisit) -> OperatorsPage.Entry {
        .init(
            id: entry.account.text, name: entry.displayName, email: entry.email, role: entry.role.rawValue,
            grantedBy: entry.grantedBy?.text, grantedByName: entry.grantedByName,
            grantedAt: RFC3339.text(entry.grantedAt), isOwn: entry.account == visit.account)
    }
}
