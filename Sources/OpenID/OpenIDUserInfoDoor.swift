import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import Vocabulary

/// The UserInfo endpoint (OpenID Connect Core §5.3).
struct OpenIDUserInfoDoor: FrontDoor {
    let log: CallLog
    let directory: SessionDirectory
    let clients: ClientRegistry
    let profiles: AccountProfiles

    func mount(on router: Router<GatewayContext>) {
        router.get("userinfo", use: userInfo)
        router.post("userinfo", use: userInfo)
    }

    /// `GET` and `POST /userinfo`: the claims of the granted scopes. The token is in a header, or in the form of a POST.
    @Sendable func userInfo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var call = DoorCall("user_info", request, context)
        let hasToken = request.headers.contains(.authorization)
        return try await log.answer(&call) { call in
            let token = try await Self.token(request)
            let session = try await directory.check(token, at: directory.now)
            call.isBy(session)
            guard session.scopes.contains(.openid) else { throw Rejection.audienceNotAllowed }
            guard let profile = try await profiles.profile(session.account.id) else { throw Rejection.sessionEnded() }
            let attributes = clients.client(session.facts.clientID)?.attributes ?? []
            var claims = profile.keeping(attributes).claims(for: session.scopes, and: session.requestedClaims.userInfo)
            claims["sub"] = .string(session.account.id.text)
            return .json(.object(claims))
        } refusing: { error, call in
            let rejection = error as? Rejection
            let problem = (error as? Problem) ?? rejection.map { Problem($0, in: call) }
            guard let problem else { throw error }
            return RefusedCall(problem.code, of: rejection) { _ in
                BearerRefusal(problem, hadToken: hasToken).response(problem, requestID: context.requestID)
            }
        }
    }

    private static func token(_ request: Request) async throws -> String {
        if let token = request.headers.credentials(.bearer) { return token }
        guard request.method == .post, !request.headers.contains(.authorization),
            let token = try await FormBody.read(request)["access_token"]
        else { throw Rejection.tokenMissing }
        return token
    }
}

/// A refusal of a protected resource (RFC 6750 §3.1).
struct BearerRefusal {
    private let word: String?
    private let status: HTTPResponse.Status

    /// - Parameter hadToken: false for a request without credentials, whose refusal names no error.
    init(_ problem: Problem, hadToken: Bool) {
        switch problem.code {
        case "audience_not_allowed": (word, status) = ("insufficient_scope", .forbidden)
        case _ where problem.status == .unauthorized: (word, status) = (hadToken ? "invalid_token" : nil, .unauthorized)
        case _ where problem.status.code < 500: (word, status) = ("invalid_request", problem.status)
        default: (word, status) = (nil, problem.status)
        }
    }

    func response(_ problem: Problem, requestID: String) -> Response {
        var headers = problem.headers
        let scope = word == "insufficient_scope" ? ", scope=\"openid\"" : ""
        if status == .unauthorized || status == .forbidden {
            headers[.wwwAuthenticate] = word.map { "Bearer error=\"\($0)\"\(scope)" } ?? "Bearer"
        }
        if let seconds = problem.retryAfter { headers[.retryAfter] = String(seconds) }
        var body: JSONObject = ["code": .string(problem.code), "request_id": .string(requestID)]
        body["error"] = word.map(JSON.string)
        return .json(.object(body), status: status, headers: headers)
    }
}
