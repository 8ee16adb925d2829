import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions

/// Search, display and support of accounts.
extension AdminDoor {
    /// `GET …/accounts`: `q` (an address, number, name, or any id), `cursor`, `limit`.
    @Sendable func searchAccounts(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.searchAccounts, request, context) { actor, _ in
            let query = request.uri.queryParameters
            let cursor = query["cursor"].map { SearchCursor(String($0)) }
            if case .some(nil) = cursor { throw AdminRefusal.invalidMember(pointer: "/cursor", reason: "malformed") }
            let page = try await services.search.page(
                query["q"].map { String($0) } ?? "", after: cursor ?? nil, limit: Self.number(request, "limit") ?? 25,
                by: actor)
            return .json([
                "accounts": .array(page.accounts), "next": page.next.map { .string($0.description) } ?? .null,
            ])
        }
    }

    /// `GET …/accounts/{id}`.
    @Sendable func showAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { actor, _ in
            .json(["account": try await services.records.dossier(Self.pathID(context), by: actor)])
        }
    }

    /// `GET …/accounts/{id}/history`: `before` (an event's id), `limit`.
    @Sendable func showHistory(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showHistory, request, context) { actor, _ in
            let events = try await services.records.history(
                Self.pathID(context), before: Self.number(request, "before"),
                limit: Self.number(request, "limit") ?? 50, by: actor)
            return .json(["events": events])
        }
    }

    /// `GET …/accounts/{id}/suggestions`: other accounts that may belong to the same user.
    @Sendable func showSuggestions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { actor, _ in
            .json(["suggestions": try await services.records.suggestions(Self.pathID(context), by: actor)])
        }
    }

    /// `POST …/accounts/{id}/disable`: `{reason}`.
    @Sendable func disable(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.disableAccount, request, context) { account, _, reason, actor in
            try await services.care.set(enabled: false, account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/enable`: `{reason}`.
    @Sendable func enable(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.enableAccount, request, context) { account, _, reason, actor in
            try await services.care.set(enabled: true, account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/require-reset`: `{reason}`.
    @Sendable func requireReset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.requireReset, request, context) { account, _, reason, actor in
            try await services.care.requireReset(account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/require-proof`: `{address, reason}`, an e-mail address or a number of the account.
    @Sendable func requireProof(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.requireProof, request, context, of: ["address"]) { account, body, reason, actor in
            try await services.care.requireProof(
                Self.text(body, "address"), of: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/end-sessions`: `{session, reason}`; without `session` it ends all sessions.
    @Sendable func endSessions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.endSessions, request, context, of: ["session"]) { account, body, reason, actor in
            let session = try body["session"].flatMap { $0.isNull ? nil : try Self.id(body, "session") }
            try await services.care.endSessions(session, of: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/remove-factors`: `{reason}`; removes all second factors after the waiting time.
    @Sendable func removeFactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.removeFactors, request, context) { account, _, reason, actor in
            _ = try await services.care.removeFactors(of: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/keep-factors`: `{reason}`; cancels the removal.
    @Sendable func keepFactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.removeFactors, request, context) { account, _, reason, actor in
            try await services.care.keepFactors(of: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/demand-second-factor`: `{demanded, reason}`; without `demanded` it is true.
    @Sendable func demandFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await caring(.demandFactor, request, context, of: ["demanded"]) { account, body, reason, actor in
            guard let isDemanded = (body["demanded"] ?? true).bool else {
                throw AdminRefusal.invalidMember(pointer: "/demanded", reason: "must_be_boolean")
            }
            try await services.care.demandSecondFactor(isDemanded, of: account, because: reason, by: actor)
        }
    }

    /// Changes an account; the answer shows the account after the change.
    ///
    /// - Parameter known: the possible members of the body, apart from the reason.
    private func caring(
        _ action: AdminAction, _ request: Request, _ context: GatewayContext, of known: [String] = [],
        _ body: (UUID, JSONObject, Reason, AdminActor) async throws -> Void
    ) async throws -> Response {
        try await answer(action, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.changes(request).limited(to: known + ["reason"])
            try await body(account, sent, Self.reason(sent), actor)
            directory.forget(account: account)
            return .json(["account": try await services.records.dossier(account, isAnswer: true, by: actor)])
        }
    }
}
