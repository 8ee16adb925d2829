import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions

/// Deletion and export of an account on behalf of its holder.
extension AdminDoor {
    /// `POST …/accounts/{id}/delete`: `{now, reason}`; 202 with the day, or 204 after an immediate deletion.
    @Sendable func deleteAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.deleteAccount, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.object(request, of: "now", "reason")
            let waits = try await services.leaving.delete(
                account, now: sent["now"]?.bool ?? false, because: Self.reason(sent), by: actor)
            directory.forget(account: account)
            guard let waits else { return Response(status: .noContent) }
            return .json(["deletion": RESTAnswers.deletion(waits)], status: .accepted)
        }
    }

    /// `POST …/accounts/{id}/cancel-deletion`: `{reason}`.
    @Sendable func cancelDeletion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.deleteAccount, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.object(request, of: "reason")
            try await services.leaving.cancelDeletion(of: account, because: Self.reason(sent), by: actor)
            directory.forget(account: account)
            return .json(["account": try await services.records.dossier(account, isAnswer: true, by: actor)])
        }
    }

    /// `POST …/accounts/{id}/export`: `{reason}`; all stored data of the account, as a file.
    @Sendable func exportAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.exportAccount, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.object(request, of: "reason")
            let file = try SpoolFile()
            try await services.leaving.export(account, to: file, because: Self.reason(sent), by: actor)
            return try .export(file, of: account)
        }
    }
}
