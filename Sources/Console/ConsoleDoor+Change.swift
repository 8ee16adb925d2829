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
            try await Self.naming(action.right) {
                try await services.operators.check(action.right, of: [id], by: visit.actor)
            }
            return show(try await confirmation(action, id, visit), visit.call)
        }
    }

    /// `POST …/change`: the same with `reason`.
    @Sendable func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context, back: Self.accountPage(context), counts: false) { visit in
            let action = try Self.action(visit)
            let id = try Self.pathID(context)
            return try await doing(action.right, visit) {
                try await perform(action, id, visit)
            } again: { problem in
                try await confirmation(action, id, visit, problem)
            }
        }
    }

    private func perform(_ action: AccountAction, _ id: UUID, _ visit: ConsoleVisit) async throws -> Response {
        let change = ActionRequest(
            action, of: id, Self.arguments(of: action, visit), because: try visit.reason(), by: visit.actor, services)
        // A role that is too low counts before a fault in the arguments.
        try await services.operators.check(action.right, of: [id], by: visit.actor)
        if action == .impersonate { return try await actAs(id, because: try visit.reason(), visit) }
        let outcome = try await change.perform()
        for account in change.accounts { web.directory.forget(account: account) }
        switch outcome {
        case .exported(let file): return try .export(file, of: id)
        case .changed(let made, _): return Self.done(action, id, change: made, visit)
        // The deletion removed the account and its page.
        case .deletion(nil): return .seeOther(ConsoleAddress.of("/admin", Site.localesParameter(visit.call.locales)))
        case .deletion, .done: return Self.done(action, id, visit)
        }
    }

    /// Runs an action; its own page shows a refusal that the operator can correct.
    ///
    /// This refusal's audit row names the action. The row of `answer` would name only the page.
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
            web.log.refused(code, detail: Self.wrongParts(error), as: action.rawValue, visit.call.logged)
            let status = ErrorCatalogue[code]?.status ?? .badRequest
            return show(try await again(refusal), visit.call, status: status)
        }
    }

    private static func action(_ visit: ConsoleVisit) throws(AdminRefusal) -> AccountAction {
        guard let action = AccountAction.all(.form).first(where: { $0.name == visit.fields["do"] }) else {
            throw .notFound
        }
        return action
    }

    private static func arguments(of action: AccountAction, _ visit: ConsoleVisit) -> JSONObject {
        var arguments: JSONObject = [:]
        // `apple TEAM123456`, as the list offers it.
        let provider = (visit.fields["provider"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        for argument in action.arguments {
            switch argument.kind {
            case .id, .otherAccount, .text:
                let typed = visit.fields[argument.name]?.trimmingCharacters(in: .whitespaces)
                arguments[argument.name] = typed.map { .string($0) }
            case .provider: arguments[argument.name] = .string(provider.first ?? "")
            case .realm: arguments[argument.name] = .string(provider.dropFirst().first ?? "")
            // A truth value is an action of its own here.
            case .flag: break
            }
        }
        return arguments
    }
}
