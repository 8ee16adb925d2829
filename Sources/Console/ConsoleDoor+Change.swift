import Accounts
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry

/// Changes of one account: the page shows the effect first and asks for a reason.
extension ConsoleDoor {
    /// `GET …/change`: `do`, and the object of the change.
    @Sendable func confirmChange(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { visit in
            let action = try Self.action(visit)
            let id = try Self.pathID(context)
            // A later refusal would lose the typed reason.
            try await Self.naming(action.adminAction) {
                try await services.operators.check(action.adminAction, of: [id], by: visit.actor)
            }
            return show(try await confirmation(action, id, visit), visit.call)
        }
    }

    /// `POST …/change`: the same with `reason`.
    @Sendable func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context, back: Self.accountPage(context), counts: false) { visit in
            let action = try Self.action(visit)
            let id = try Self.pathID(context)
            return try await doing(action, visit) {
                if let left = try await leave(action, id, visit) { return left }
                let change = try await make(action, id, visit.reason(), visit)
                web.directory.forget(account: id)
                return Self.done(action, id, change: change, visit)
            } again: { problem in
                try await confirmation(action, id, visit, problem)
            }
        }
    }

    /// Runs an action; its own page shows a refusal that the operator can correct.
    ///
    /// This refusal's audit row names the action. The row of `answer` would name only the page.
    func doing(
        _ action: ConsoleAction, _ visit: ConsoleVisit, _ body: () async throws -> Response,
        again: (ConsoleRefusal) async throws -> some ConsolePage
    ) async throws -> Response {
        try await doing(action.adminAction, visit, body, again: again)
    }

    /// The same for an action without an account.
    func doing(
        _ action: AdminAction, _ visit: ConsoleVisit, _ body: () async throws -> Response,
        again: (ConsoleRefusal) async throws -> some ConsolePage
    ) async throws -> Response {
        do {
            let response = try await body()
            web.log.outcomes.count(action.rawValue, provider: nil, outcome: "done")
            return response
        } catch {
            guard let refusal = Self.refusal(error), Self.isSaidInPlace(refusal) else {
                return try await Self.naming(action, back: visit.question) { throw error }
            }
            // A code that only the console has becomes its common code.
            let code = ErrorCatalogue[refusal.code] == nil ? "invalid_request" : refusal.code
            web.log.refused(code, as: action.rawValue, visit.call.logged)
            let status = ErrorCatalogue[code]?.status ?? .badRequest
            return show(try await again(refusal), visit.call, status: status)
        }
    }

    private static func action(_ visit: ConsoleVisit) throws(AdminRefusal) -> ConsoleAction {
        let ours = ConsoleAction.told.filter { ![.grant, .withdraw].contains($0) }
        guard let action = visit.fields["do"].flatMap(ConsoleAction.init(rawValue:)), ours.contains(action) else {
            throw .notFound
        }
        return action
    }

    private func make(_ action: ConsoleAction, _ id: UUID, _ reason: Reason, _ visit: ConsoleVisit) async throws
        -> UUID?
    {
        let (care, moves, actor) = (services.care, services.moves, visit.actor)
        switch action {
        case .disable: try await care.set(enabled: false, id, because: reason, by: actor)
        case .enable: try await care.set(enabled: true, id, because: reason, by: actor)
        case .requireReset: try await care.requireReset(id, because: reason, by: actor)
        case .requireProof:
            try await care.requireProof(visit.fields["address"] ?? "", of: id, because: reason, by: actor)
        case .endSession: try await care.endSessions(visit.id("session"), of: id, because: reason, by: actor)
        case .endSessions: try await care.endSessions(nil, of: id, because: reason, by: actor)
        case .unlink: return try await moves.unlink(visit.id("identity"), from: id, because: reason, by: actor)
        case .link: return try await moves.link(subject(visit), to: id, because: reason, by: actor)
        case .move:
            let target = try visit.id("to")
            let change = try await moves.move(
                visit.id("identity"), from: id, to: target, because: reason, by: actor)
            web.directory.forget(account: target)
            return change
        case .removeFactors: _ = try await care.removeFactors(of: id, because: reason, by: actor)
        case .keepFactors: try await care.keepFactors(of: id, because: reason, by: actor)
        case .demandFactor: try await care.demandSecondFactor(true, of: id, because: reason, by: actor)
        case .waiveFactor: try await care.demandSecondFactor(false, of: id, because: reason, by: actor)
        case .merge, .split, .undo, .grant, .withdraw, .exportAccount, .deleteAccount, .cancelDeletion:
            throw AdminRefusal.notFound
        }
        return nil
    }

    private func subject(_ visit: ConsoleVisit) -> IdentityMoves.Subject {
        // `apple TEAM123456`, as the list offers it.
        let parts = (visit.fields["provider"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        return IdentityMoves.Subject(
            provider: parts.first ?? "", realm: parts.count == 2 ? parts[1] : "",
            subject: (visit.fields["subject"] ?? "").trimmingCharacters(in: .whitespaces))
    }
}
