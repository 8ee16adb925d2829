import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Telemetry

/// Merging two accounts by their account holder.
struct RESTMergingDoor: RESTDoor {
    let calls: RESTCalls
    let merging: MergeService

    func mount(on router: Router<GatewayContext>) {
        router.get("v1/account/merges", use: merges)
        router.post("v1/account/merges", use: merge)
        router.post("v1/account/merges/ticket", use: mergeTicket)
        router.post("v1/account/merges/preview", use: previewMerge)
        router.post("v1/account/merges/{id}/undo", use: undoMerge)
    }

    /// `POST /v1/account/merges/ticket`: `{access_token}` of a session of the other account.
    @Sendable func mergeTicket(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("merge_ticket", request, context) { call, session in
            let token = try await JSONBody.object(request, of: "access_token").required("access_token", most: 8_192)
            let (ticket, life) = try await merging.ticket(provedBy: token, to: session, caller: call.caller)
            return .json(["merge_ticket": .string(ticket), "expires_in": .integer(life)], status: .created)
        }
    }

    /// `POST /v1/account/merges/preview`: `{merge_ticket}`; it changes nothing and keeps the ticket valid.
    @Sendable func previewMerge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("preview_merge", request, context) { call, session in
            let ticket = try await JSONBody.object(request, of: "merge_ticket").required("merge_ticket", most: 512)
            return .json(
                RESTAnswers.preview(try await merging.preview(ticket, session: session, caller: call.caller)))
        }
    }

    /// `POST /v1/account/merges`: `{merge_ticket, digest}`, with the digest of the preview.
    @Sendable func merge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("merge_own_accounts", request, context) { call, session in
            let body = try await JSONBody.object(request, of: "merge_ticket", "digest")
            let done = try await merging.merge(
                try body.required("merge_ticket", most: 512), expecting: try body.required("digest", most: 128),
                session: session, caller: call.caller)
            return .json(["merge": RESTAnswers.merge(done)], status: .created)
        }
    }

    /// `GET /v1/account/merges`: the merges that an undo can still reverse.
    @Sendable func merges(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_merges", request, context) { _, session in
            .json(["merges": .array(try await merging.merges(of: session).map(RESTAnswers.merge))])
        }
    }

    /// `POST /v1/account/merges/{id}/undo`: ends every session of the account, including the caller's.
    @Sendable func undoMerge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("undo_own_merge", request, context) { call, session in
            try await merging.undo(try pathID(context), session: session, caller: call.caller)
            return Response(status: .noContent)
        }
    }
}

extension RESTAnswers {
    static func merge(_ merge: OwnMerge) -> JSON {
        [
            "id": .string(merge.id.text), "absorbed_account_id": .string(merge.absorbed.text),
            "made_at": .string(RFC3339.text(merge.madeAt)),
            "undo_until": .string(RFC3339.text(merge.undoUntil)),
        ]
    }

    static func preview(_ preview: MergePreview) -> JSON {
        [
            "digest": .string(preview.digest),
            "moves": [
                "identities": .array(preview.identities.map(identity)),
                "emails": .array(preview.emails.map(JSON.string)), "phones": .array(preview.phones.map(JSON.string)),
                "passkeys": .integer(preview.passkeys), "factors": .integer(preview.factors),
                "password": .bool(preview.movesPassword),
            ],
            "loses_password": .bool(preview.losesPassword), "ends_sessions": .integer(preview.endsSessions),
        ]
    }
}
