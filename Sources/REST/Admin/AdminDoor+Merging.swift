import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions

/// Merging and splitting accounts, and undoing a change.
extension AdminDoor {
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
