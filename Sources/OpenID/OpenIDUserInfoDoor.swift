import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Sessions
import Vocabulary

/// The UserInfo endpoint (OpenID Connect Core §5.3).
struct OpenIDUserInfoDoor: FrontDoor {
    let log: CallLog
    let directory: SessionDirectory
    let clients: ClientRegistry
    let profiles: AccountProfiles
    let proofs: KeyProofs
    let issuer: TokenIssuer
    let readyKeys: @Sendable () async throws -> Void

    func mount(on router: Router<GatewayContext>) {
        router.get("userinfo", use: userInfo)
        router.post("userinfo", use: userInfo)
    }

    /// `GET` and `POST /userinfo`: the claims of the granted scopes.
    ///
    /// The token is in a header, or in the form of a POST.
    @Sendable func userInfo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var call = DoorCall("user_info", request, context)
        return try await log.answer(&call) { call in
            try await call.prove(request, by: proofs)
            let token = try await Self.token(request, provedBy: call.caller.key)
            let session = try await directory.check(token, at: directory.now)
            try call.isBy(session, isHarmless: true)
            guard session.scopes.contains(.openid) else { throw Rejection.audienceNotAllowed }
            return try await answer(session)
        } refusing: { error, call in
            let rejection = error as? Rejection
            let known = (error as? Problem) ?? rejection.map { Problem($0, in: call) }
            guard var problem = known else { throw error }
            // RFC 6750 §3.1; a refused token has its challenge already.
            if rejection == .audienceNotAllowed {
                problem.headers[.wwwAuthenticate] = "Bearer error=\"insufficient_scope\", scope=\"openid\""
            }
            return RefusedCall(problem.code, of: rejection) { [problem] _ in
                throw problem.naming(OwnResource(nil), context)
            }
        }
    }

    /// JSON, or a JWT for a client that wants it signed.
    private func answer(_ session: SessionSnapshot) async throws -> Response {
        let claims = try await claims(of: session)
        guard let client = clients.client(session.facts.clientID), let algorithm = client.openID.userInfo.algorithm
        else { return .json(.object(claims)) }
        try await readyKeys()
        let token = try issuer.userInfo(claims, for: client, by: algorithm, at: directory.now)
        return Response(
            status: .ok, headers: [.contentType: "application/jwt"], body: .init(byteBuffer: ByteBuffer(string: token)))
    }

    private func claims(of session: SessionSnapshot) async throws -> JSONObject {
        guard let profile = try await profiles.profile(session.account.id) else { throw Rejection.sessionEnded() }
        let attributes = clients.client(session.facts.clientID)?.attributes ?? []
        var claims = profile.keeping(attributes).claims(for: session.scopes, and: session.requestedClaims.userInfo)
        claims["sub"] = .string(session.facts.subject)
        return claims
    }

    private static func token(_ request: Request, provedBy key: String?) async throws -> PresentedToken {
        let hasForm = request.method == .post && request.headers.contains(.contentType)
        let inForm = hasForm ? try await FormBody.read(request)["access_token"] : nil
        let inHeader = request.headers.accessToken(provedBy: key)
        guard inForm == nil || inHeader == nil else { throw Problem.invalidMember("/access_token", "beside_a_header") }
        guard let token = inHeader ?? inForm.map({ PresentedToken($0) }) else { throw Rejection.tokenMissing }
        return token
    }
}
