import HTTPServer
import Hummingbird
import JSON
import SignIn

extension RESTSecurityDoor {
    /// `POST /v1/password/change`: `{current_password?, new_password}`; ends every other session.
    @Sendable func changePassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("change_password", request, context) { call, session in
            let body = try await JSONBody.object(request, of: "current_password", "new_password")
            try await passwordChange.change(
                from: try body.optional("current_password"), to: try body.required("new_password"), session: session,
                caller: call.caller)
            return Response(status: .noContent)
        }
    }
}
