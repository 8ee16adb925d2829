import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// Search and display of accounts.
extension AdminDoor {
    /// `GET …/accounts`: `q` (an address, number, name, or any id), `cursor`, `limit`.
    @Sendable func searchAccounts(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.searchAccounts, request, context, parameters: ["q", "cursor", "limit"]) { actor, _ in
            let query = request.uri.queryParameters
            let cursor = query["cursor"].map { SearchCursor(String($0)) }
            if case .some(nil) = cursor { throw AdminRefusal.invalidMember(pointer: "/cursor", reason: "malformed") }
            let page = try await services.search.page(
                query["q"].map { String($0) } ?? "", after: cursor ?? nil, limit: Self.number(request, "limit") ?? 25,
                by: actor)
            return .json([
                "accounts": .array(page.accounts), "next_cursor": page.next.map { .string($0.description) } ?? .null,
            ])
        }
    }

    /// `POST …/accounts`: ``NewAccount/members`` and `reason`.
    @Sendable func createAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await creating(.createAccount, request, context) { actor, once in
            let sent = try await JSONBody.changes(request).limited(to: NewAccount.members + ["reason"])
            let account = try await services.creation.create(
                NewAccount(sent), once: once, because: Self.reason(sent), by: actor)
            return ["account": try await services.records.dossier(account, isAnswer: true, by: actor)]
        }
    }

    /// `GET …/accounts/{id}`.
    @Sendable func showAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { actor, _ in
            .json(["account": try await services.records.dossier(Self.pathID(context), by: actor)])
        }
    }

    /// `GET …/accounts/{id}/history`: `cursor`, `limit`.
    @Sendable func showHistory(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showHistory, request, context, parameters: ["cursor", "limit"]) { actor, _ in
            let limit = min(try Self.number(request, "limit") ?? 50, 200)
            let events =
                try await services.records.history(
                    Self.pathID(context), before: Self.number(request, "cursor"), limit: limit, by: actor
                ).array ?? []
            let last = events.count == limit ? events.last?["id"]?.integer : nil
            return .json(["events": .array(events), "next_cursor": last.map { .string(String($0)) } ?? .null])
        }
    }

    /// `GET …/accounts/{id}/suggestions`: other accounts that may belong to the same user.
    @Sendable func showSuggestions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { actor, _ in
            .json(["suggestions": try await services.records.suggestions(Self.pathID(context), by: actor)])
        }
    }
}
