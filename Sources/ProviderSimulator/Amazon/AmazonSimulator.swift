import FoundationEssentials
import HTTPTypes
import JSON
import Synchronization

/// Login with Amazon: authorization, token info, profile and token endpoint.
///
/// Plain OAuth 2.0, so no keys and no ID token.
/// https://developer.amazon.com/docs/login-with-amazon/documentation-overview.html
struct AmazonSimulator: SimulatedProvider {
    /// The data behind an access token.
    struct Access: Sendable {
        let issuedAt: Date
        /// The token info without `exp`, which is calculated at the time of the request.
        let tokenInfo: JSONObject
        /// Replaces the calculated `exp`, or removes it by null.
        let expiry: JSON?
        /// Nil if the user granted no profile.
        let profile: JSONObject?
    }

    /// The grant of a code or a refresh token.
    struct Purchase: Sendable {
        let clientID: String
        let isPublicClient: Bool
        let access: Access
    }

    static let lifetime = 3600

    let name = ProviderName.amazon
    let failureWord = "ServerError"
    let endpoints: [Endpoint] = [.tokeninfo, .profile, .token, .authorize, .consent]
    let clients = ClientRegistry(secret: Defaults.amazonSecret, usual: Defaults.amazonClient)
    let accessTokens = TokenTable<Access>()
    let refreshTokens = TokenTable<Purchase>()
    let codes = CodeStore<Purchase>()
    let redirects = RedirectAddresses(of: .amazon)

    func route(for path: [String]) -> Route? {
        switch path {
        case ["auth", "o2", "tokeninfo"]: Route(endpoint: .tokeninfo, method: .get)
        case ["user", "profile"]: Route(endpoint: .profile, method: .get)
        case ["auth", "o2", "token"]: Route(endpoint: .token, method: .post)
        case ["ap", "oa"]: Route(endpoint: .authorize, method: .get)
        case ["ap", "oa", "consent"]: Route(endpoint: .consent, method: .post)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .tokeninfo: try tokenInfo(request)
        case .profile: try profile(request)
        case .authorize: try consentPage(request, at: route)
        case .consent: try consent(request, at: route)
        default: try token(request)
        }
    }

    func body(of refusal: Refusal) -> JSON {
        [
            "error": .string(refusal.error), "error_description": .string(refusal.description),
            "request_id": .string(GUID.random()),
        ]
    }

    /// There are no keys to rotate.
    func rotate(keepOld: Bool) throws {
        throw ControlError("amazon has no keys")
    }

    func reset() {
        clients.reset()
        accessTokens.removeAll()
        refreshTokens.removeAll()
        codes.removeAll()
        redirects.reset()
    }
}

extension AmazonSimulator {
    /// `GET /auth/o2/tokeninfo`: the audience of a token, with `exp` as the number of seconds left.
    private func tokenInfo(_ request: Received) throws -> Answer {
        let access = try access(by: presented(in: request, bearer: false), at: request.now)
        var info = access.tokenInfo
        let left = Self.lifetime - Int(request.now.timeIntervalSince(access.issuedAt))
        info = info.overridden(by: ["exp": access.expiry ?? .integer(left)])
        return .secret(.object(info))
    }

    /// `GET /user/profile`: the members that the granted scopes allow.
    private func profile(_ request: Received) throws -> Answer {
        let access = try access(by: presented(in: request, bearer: true), at: request.now)
        guard let profile = access.profile else {
            throw Refusal(.forbidden, "insufficient_scope", "The access token does not grant the scope profile.")
        }
        return .secret(.object(profile))
    }

    private func access(by token: String, at now: Date) throws(Refusal) -> Access {
        guard let access = accessTokens[token] else { throw invalidToken("the access token is unknown") }
        guard now.timeIntervalSince(access.issuedAt) < Double(Self.lifetime) else {
            throw invalidToken("the access token has expired")
        }
        return access
    }

    /// The token from its single place: Amazon's header, the query, or for the profile a bearer header.
    private func presented(in request: Received, bearer: Bool) throws(Refusal) -> String {
        try request.expectNoBody()
        do { try request.query.expect(required: [], optional: ["access_token"]) } catch {
            throw .invalidRequest(error.description)
        }
        var tokens = [try request.header("x-amz-access-token"), request.query["access_token"]].compactMap(\.self)
        if let authorization = try request.header("authorization") {
            guard bearer, authorization.lowercased().hasPrefix("bearer ") else {
                throw .invalidRequest("this Authorization header is not known here")
            }
            tokens.append(String(authorization.dropFirst(7)))
        }
        guard let token = tokens.first, !token.isEmpty else {
            throw .invalidRequest("The request is missing a required parameter : access_token")
        }
        guard tokens.count == 1 else { throw .invalidRequest("the access token was sent in more than one place") }
        return token
    }

    private func invalidToken(_ reason: String) -> Refusal {
        Refusal.badRequest("invalid_token", "The request has an invalid parameter : access_token", reason: reason)
    }
}
