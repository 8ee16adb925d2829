import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions

/// The endpoints of operators' actions on an account.
extension AdminDoor {
    /// `POST …/accounts/{id}/…`, or DELETE of a part: the action's arguments and `reason`.
    func perform(_ action: AccountAction) -> @Sendable (Request, GatewayContext) async throws -> Response {
        { request, context in
            try await answer(action.right, request, context) { actor, _ in
                let account = try Self.pathID(context)
                let ofPath = action.arguments.filter { action.path.contains("{\($0.name)}") }.map(\.name)
                let ofBody = action.arguments.filter { !$0.isLocal && !ofPath.contains($0.name) }.map(\.name)
                var sent = try await JSONBody.changes(request).limited(to: ofBody + ["reason"])
                for name in ofPath { sent[name] = .string(try Self.pathID(context, name).text) }
                let change = ActionRequest(
                    action, of: account, sent, because: try Self.reason(sent), by: actor, services)
                let outcome = try await change.perform()
                for account in change.accounts { directory.forget(account: account) }
                return try await show(outcome, of: account, actor)
            }
        }
    }

    /// The answer shows the account after the change.
    private func show(_ outcome: ActionOutcome, of account: UUID, _ actor: AdminActor) async throws -> Response {
        var answer: JSONObject = [:]
        switch outcome {
        case .exported(let file): return try .export(file, of: account)
        case .deletion(let waits):
            guard let waits else { return Response(status: .noContent) }
            return .json(["deletion": RESTAnswers.deletion(waits)], status: .accepted)
        case .changed(let id, _): answer["change"] = .string(id.text)
        case .done: break
        }
        answer["account"] = try await services.records.dossier(account, isAnswer: true, by: actor)
        return .json(.object(answer))
    }
}
