import HTTPServer
import Hummingbird
import JSON
import Sessions
import Vocabulary

extension RESTSecurityDoor {
    /// `GET /v1/account/sessions`: the account's sessions, one for each device.
    @Sendable func deviceSessions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_sessions", request, context) { _, session in
            let list = try await sessions.list(account: session.facts.account)
            return .json([
                "sessions": .array(list.map { RESTAnswers.device($0, isCurrent: $0.id == session.facts.session) })
            ])
        }
    }

    /// `DELETE /v1/account/sessions/{id}`: ends one device's session.
    @Sendable func endDeviceSession(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("end_session", request, context) { call, session in
            let ended = try await sessions.end(
                try pathID(context), of: session.facts.account, reason: "ended_by_owner",
                client: session.facts.clientID, caller: call.caller)
            guard ended else { throw Rejection.notFound }
            return Response(status: .noContent)
        }
    }
}
