import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import SignIn

extension RESTTokenDoor {
    /// `POST /v1/token` (RFC 6749 §4.1.3, §6; RFC 7636 §4.5): exchanges a handover code or a refresh token for a
    /// session.
    ///
    /// Refusals have OAuth's form (RFC 6749 §5.2), so that unmodified clients can read them.
    @Sendable func token(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerOAuth("token", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try authenticated(request, form, &call, by: .kind)
            let session = try await granted(form, client, call)
            return .json(.object(Self.tokenAnswer(session)))
        }
    }

    /// Answers an OAuth call; its refusals have the form of RFC 6749 §5.2.
    ///
    /// RFC 7009 §2.2.1 and RFC 7662 §2.3 require the same form.
    func answerOAuth(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (inout DoorCall) async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer(action, request, context, body)
        } catch let problem as Problem {
            return OAuthError(problem).response(problem, requestID: context.requestID)
        }
    }

    private func granted(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> IssuedSession {
        switch form["grant_type"] {
        case "authorization_code":
            let claim = HandoverService.Claim(
                code: try form.required("code"), verifier: try form.required("code_verifier"),
                redirectURI: try form.required("redirect_uri"))
            return try await handover.redeem(claim, client: client, at: .gateway, caller: call.caller)
        case "refresh_token":
            return try await sessions.refresh(
                try form.required("refresh_token"), of: client, at: .gateway, caller: call.caller)
        case nil: throw Problem.invalidMember("/grant_type", "required")
        default: throw Problem(.badRequest, code: "unsupported_grant_type")
        }
    }

    private static func tokenAnswer(_ session: IssuedSession) -> JSONObject {
        var answer: JSONObject = [
            "access_token": .string(session.accessToken), "token_type": "Bearer",
            "expires_in": .integer(session.accessTokenLife), "refresh_token": .string(session.refreshToken),
            "refresh_expires_in": .integer(session.refreshTokenLife), "session_id": .string(session.id.text),
        ]
        answer.add(idTokenOf: session)
        return answer
    }
}
