import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary

/// The OAuth endpoints of a pool's domain ("managed login"), for sign-ins in a browser.
///
/// `/oauth2/authorize` leads to the hosted pages; the code comes back to the app, and `/oauth2/token` redeems it.
/// `/signup` and `/forgotPassword` lead to other pages with the same parameters, and so does `/login` for an app client.
struct CognitoHostedDoor: FrontDoor, CognitoOperations {
    let calls: CognitoCalls
    let sessions: SessionService
    let handover: HandoverService
    let inspector: TokenInspector
    let accounts: AccountService

    func mount(on router: Router<GatewayContext>) {
        router.get("oauth2/authorize", use: authorize)
        router.get("signup", use: signUp)
        router.get("forgotPassword", use: forgotPassword)
        router.post("oauth2/token", use: token)
        router.get("oauth2/userInfo", use: userInfo)
        router.post("oauth2/userInfo", use: userInfo)
        router.post("oauth2/revoke", use: revoke)
    }

    /// `GET /oauth2/authorize` (RFC 6749 §4.1.1, RFC 7636): to the named provider, or to the sign-in page.
    @Sendable func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try lead(to: "/login", request)
    }

    /// `GET /signup`, with the parameters of `/oauth2/authorize`.
    @Sendable func signUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try lead(to: "/sign-up", request)
    }

    /// `GET /forgotPassword`, with the same parameters.
    @Sendable func forgotPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try lead(to: "/forgot", request)
    }

    /// Redirects to a hosted page; a sign-in goes to the named provider.
    private func lead(to path: String, _ request: Request) throws -> Response {
        let fields = try FormBody(Array((request.uri.query ?? "").utf8))
        let client = fields["client_id"].flatMap(calls.clients.cognitoClient)
        var asked = DialectAuthorization(fields, of: client, in: .cognito)
        asked.add("ui_locales", fields["lang"])
        if let client, client.mayOmitProofKey { asked.add("code_challenge", AbsentProofKey.challenge) }
        let provider = fields["identity_provider"].flatMap(CognitoProviders.id)
        let isOffered = provider.map { client?.allows(provider: $0) == true && !Self.ownMethods.contains($0) } ?? false
        return .found(asked.address(of: isOffered && path == "/login" ? "/login/\(provider ?? "")" : path))
    }

    /// The sign-in methods that are no provider.
    private static let ownMethods = FirstFactor.offered(sendsTexts: true, hasPasskeys: true)

    // MARK: Tokens

    /// `POST /oauth2/token`: a code of `/oauth2/authorize`, or a refresh token.
    @Sendable func token(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("token", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try client(request, form, &call)
            let issued: IssuedSession
            switch form["grant_type"] {
            case "authorization_code":
                let claim = HandoverService.Claim(
                    code: try form.required("code"),
                    verifier: try form["code_verifier"] ?? client.verifierOfAbsentProofKey
                        ?? form.required("code_verifier"),
                    redirectURI: try form.required("redirect_uri"), shortestVerifier: client.shortestVerifier)
                issued = try await handover.redeem(claim, client: client, at: .cognito, caller: call.caller)
            case "refresh_token":
                issued = try await sessions.refresh(
                    try form.required("refresh_token"), of: client, at: .cognito, caller: call.caller)
            default: throw Problem(.badRequest, code: "unsupported_grant_type")
            }
            return .json(.object(Self.json(issued)))
        }
    }

    private static func json(_ session: IssuedSession) -> JSONObject {
        var answer: JSONObject = [
            "access_token": .string(session.accessToken), "refresh_token": .string(session.refreshToken),
            "expires_in": .integer(session.accessTokenLife), "token_type": "Bearer",
        ]
        answer["id_token"] = session.idToken.map(JSON.string)
        return answer
    }

    /// `POST /oauth2/revoke` (RFC 7009).
    @Sendable func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("revoke", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try client(request, form, &call)
            try await inspector.revoke(
                try form.required("token"), client: client, caller: call.caller, at: calls.directory.now)
            return Response(status: .ok)
        }
    }

    /// The app, by HTTP Basic or by form.
    ///
    /// Amplify does not form-encode the halves of HTTP Basic, so they are read as they are.
    private func client(_ request: Request, _ form: FormBody, _ call: inout DoorCall) throws -> Client {
        let basic = request.headers.credentials(.basic).flatMap { Data(base64Encoded: $0) }
            .map { String(decoding: $0, as: UTF8.self) }?.split(separator: ":", maxSplits: 1).map(String.init)
        guard let id = basic?.first ?? form["client_id"], let client = calls.clients.cognitoClient(id) else {
            throw Rejection.clientAuthenticationFailed
        }
        call.clientID = client.id
        let secret = basic?.last ?? form["client_secret"] ?? ""
        guard client.kind == .public || client.authenticates(secret: secret) else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// `GET` and `POST /oauth2/userInfo` (OpenID Connect Core §5.3): texts, as the API has them.
    @Sendable func userInfo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var call = DoorCall("account", request, context)
        return try await calls.log.answer(&call) { call in
            .json(.object(try await claims(request, &call)))
        } refusing: { error, _ in
            let rejection = Rejection(error, calls.logger)
            return RefusedCall(rejection.code, of: rejection) { call in try Self.refusal(rejection, call) }
        }
    }

    private func claims(_ request: Request, _ call: inout DoorCall) async throws -> JSONObject {
        guard let token = request.headers.credentials(.bearer) else { throw Rejection.tokenMissing }
        let (session, scopes) = try await calls.directory.checkCognito(
            token, for: .openid, at: calls.directory.now)
        try call.isBy(session)
        let profile = try await accounts.profile(session)
        var claims: JSONObject = ["username": .string(profile.summary.id.text)]
        for attribute in profile.cognitoAttributes(for: scopes) { claims[attribute.name] = .string(attribute.value) }
        return claims
    }

    /// A refused token (RFC 6750 §3.1); other refusals are faults of the server.
    private static func refusal(_ rejection: Rejection, _ call: DoorCall) throws -> Response {
        let (error, status): (String, HTTPResponse.Status)
        switch rejection {
        case .tokenMissing, .tokenInvalid, .tokenMalformed, .tokenExpired, .sessionEnded:
            (error, status) = ("invalid_token", .unauthorized)
        case .audienceNotAllowed: (error, status) = ("insufficient_scope", .forbidden)
        default: throw Problem(rejection, in: call)
        }
        let challenge = "Bearer error=\"\(error)\""
        return .json(["error": .string(error)], status: status, headers: [.wwwAuthenticate: challenge])
    }

    /// Answers a call; refusals have the form of RFC 6749 §5.2, and the text under both names that SDKs read.
    private func answer(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (inout DoorCall) async throws -> Response
    ) async throws -> Response {
        var call = DoorCall(action, request, context)
        return try await calls.log.answer(&call, body) { error, call in
            let problem = problem(of: error, call)
            return RefusedCall(problem.code, of: error as? Rejection) { _ in
                OAuthError(problem).response(problem, requestID: context.requestID, repeatsText: true)
            }
        }
    }

    private func problem(of error: any Error, _ call: DoorCall) -> Problem {
        if let problem = error as? Problem { return problem }
        let rejection = Rejection(error, calls.logger)
        guard rejection == .deletionWaits else { return Problem(rejection, in: call) }
        return Problem(
            .badRequest, code: rejection.code, detail: CognitoError.leaving("\(calls.publicURL)/account").message)
    }
}
