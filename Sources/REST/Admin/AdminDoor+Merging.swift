import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions

/// Changes that move identities and sign-in methods between accounts.
extension AdminDoor {
    /// `POST …/accounts/{id}/identities`: `{provider, realm, subject, reason}`.
    @Sendable func link(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing(.linkIdentity, request, context, of: ["provider", "realm", "subject"]) {
            account, body, reason, actor in
            let subject = IdentityMoves.Subject(
                provider: try Self.text(body, "provider", most: 64), realm: try Self.text(body, "realm"),
                subject: try Self.text(body, "subject"))
            return try await services.moves.link(subject, to: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/identities/{identity}/unlink`: `{reason}`.
    @Sendable func unlink(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing(.unlinkIdentity, request, context) { account, _, reason, actor in
            try await services.moves.unlink(
                Self.pathID(context, "identity"), from: account, because: reason, by: actor)
        }
    }

    /// `POST …/accounts/{id}/identities/{identity}/move`: `{to, reason}`.
    @Sendable func move(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing(.moveIdentity, request, context, of: ["to"]) { account, body, reason, actor in
            let target = try Self.id(body, "to")
            let change = try await services.moves.move(
                Self.pathID(context, "identity"), from: account, to: target, because: reason, by: actor)
            directory.forget(account: target)
            return change
        }
    }

    /// Makes a change with an undo; the answer contains the change's id and the account after it.
    ///
    /// - Parameter known: the possible members of the body, apart from the reason.
    private func changing(
        _ action: AdminAction, _ request: Request, _ context: GatewayContext, of known: [String] = [],
        _ body: (UUID, JSONObject, Reason, AdminActor) async throws -> UUID
    ) async throws -> Response {
        try await answer(action, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.changes(request).limited(to: known + ["reason"])
            let change = try await body(account, sent, Self.reason(sent), actor)
            directory.forget(account: account)
            return .json([
                "change": .string(change.text),
                "account": try await services.records.dossier(account, isAnswer: true, by: actor),
            ])
        }
    }

    /// `POST …/accounts/{id}/merge/preview`: `{absorb}`; the account of the path survives.
    @Sendable func previewMerge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.previewChange, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "absorb")
            let report = try await services.merging.previewMerge(
                of: Self.id(sent, "absorb"), into: Self.pathID(context), by: actor)
            return .json(Self.json(report))
        }
    }

    /// `POST …/accounts/{id}/merge`: `{absorb, digest, reason}`, with the digest of the preview.
    @Sendable func merge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.mergeAccounts, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "absorb", "digest", "reason")
            let (kept, absorbed) = (try Self.pathID(context), try Self.id(sent, "absorb"))
            let report = try await services.merging.merge(
                absorbed, into: kept, expecting: Self.text(sent, "digest"), because: Self.reason(sent), by: actor)
            for account in [kept, absorbed] { directory.forget(account: account) }
            return .json(Self.json(report))
        }
    }

    /// `POST …/accounts/{id}/split`: `{identities, emails, phones, passkeys, factors, password, dry_run, reason}`.
    @Sendable func split(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.splitAccount, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.object(
                request, of: "identities", "emails", "phones", "passkeys", "factors", "password", "dry_run", "reason")
            let (report, new) = try await services.merging.split(
                account, giving: SplitItems(sent), dryRun: sent["dry_run"]?.bool ?? false, because: Self.reason(sent),
                by: actor)
            directory.forget(account: account)
            var answer = Self.json(report).object ?? [:]
            answer["new_account"] = report.change == nil ? .null : .string(new.text)
            return .json(.object(answer))
        }
    }

    /// `POST …/changes/{id}/undo`: `{reason}`.
    @Sendable func undo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.undoChange, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            let accounts = try await services.merging.undo(Self.pathID(context), because: Self.reason(sent), by: actor)
            for account in accounts { directory.forget(account: account) }
            return .json(["accounts": .array(accounts.map { .string($0.text) })])
        }
    }

    static func json(_ report: AccountMerging.Report) -> JSON {
        [
            "change": report.change.map { .string($0.text) } ?? .null,
            "digest": report.digest.map(JSON.string) ?? .null, "report": report.facts,
        ]
    }
}
