import Accounts
import Authorization
import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import SignIn
import Vocabulary

/// The endpoints that clients call without a browser: tokens, introspection, revocation.
struct OpenIDTokenDoor: OAuthDoor {
    let log: CallLog
    let authentication: ClientAuthentication
    let directory: SessionDirectory
    let sessions: SessionService
    let handover: HandoverService
    let inspector: TokenInspector
    let clients: ClientRegistry
    let exchanger: TokenExchanger
    let impersonation: Impersonation
    let devices: DeviceRequests
    let assertions: AssertionSignIn
    let proofs: KeyProofs

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/token", use: token)
        router.post("v1/token/introspect", use: introspect)
        router.post("v1/token/revoke", use: revoke)
    }

    /// `POST /v1/token` (RFC 6749 §4.1.3, §6; RFC 7636 §4.5; RFC 8628 §3.4): exchanges a code or a refresh token for tokens.
    ///
    /// Refusals have OAuth's form (RFC 6749 §5.2), so that unmodified clients can read them.
    @Sendable func token(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("token", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try await authentication.client(request, form, &call, by: .kind)
            // A public client has nothing but its proofs, so each needs a nonce.
            try await call.prove(request, by: proofs, needsNonce: client.kind == .public)
            let answer = try await granted(form, client, call)
            return .json(.object(answer), headers: call.caller.key == nil ? [:] : [.keyProofNonce: proofs.nonce])
        }
    }

    private func granted(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        switch form["grant_type"] {
        case "client_credentials": try await serviceToken(form, client, call)
        case TokenExchanger.grantType: try await exchanged(form, client, call)
        case AssertionSignIn.grantType: try await asserted(form, client, call)
        default: try await refreshable(form, client, call)
        }
    }

    /// Some clients get a refresh token with the scope `offline_access` only.
    private func refreshable(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        let session = try await session(form, client, call)
        let isRefreshed = client.openID.refreshTokens == .always || session.scopes.contains(.offlineAccess)
        return Self.answer(session, isRefreshed: isRefreshed)
    }

    private func session(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> IssuedSession {
        switch form["grant_type"] {
        case "authorization_code":
            // The statement refuses a verifier without a challenge, and a challenge without a verifier (RFC 9700 §4.8.2).
            let claim = HandoverService.Claim(
                code: try form.required("code"),
                verifier: try client.needsProofKey ? form.required("code_verifier") : form["code_verifier"],
                redirectURI: try form.required("redirect_uri"), resource: form["resource"])
            return try await handover.redeem(
                claim, client: client, at: .gateway, among: clients.resources, caller: call.caller)
        case "refresh_token":
            return try await sessions.refresh(
                try form.required("refresh_token"), of: client, at: .gateway,
                for: RefreshWish(resource: form["resource"], scope: form["scope"]), caller: call.caller)
        case DeviceRequests.grantType:
            return try await devices.redeem(
                try form.required("device_code"), for: form["resource"], among: clients.resources, client: client,
                caller: call.caller)
        case nil: throw Problem.invalidMember("/grant_type", "required")
        default: throw Problem(.badRequest, code: "unsupported_grant_type")
        }
    }

    /// - Parameter isRefreshed: whether the client gets the refresh token.
    static func answer(_ session: IssuedSession, isRefreshed: Bool) -> JSONObject {
        var answer: JSONObject = [
            "access_token": .string(session.accessToken), "token_type": .string(session.tokenType),
            "expires_in": .integer(session.accessTokenLife), "session_id": .string(session.id.text),
        ]
        if isRefreshed {
            answer["refresh_token"] = .string(session.refreshToken)
            answer["refresh_expires_in"] = .integer(session.refreshTokenLife)
        }
        answer["id_token"] = session.idToken.map(JSON.string)
        let scopes = session.scopes.names + session.resourceScopes
        if !scopes.isEmpty { answer["scope"] = .string(scopes.joined(separator: " ")) }
        return answer
    }
}
