import HTTPTypes
import JSON

extension ProviderName {
    static let x = ProviderName(known: "x")
}

/// `.env.example` contains the same values.
extension Defaults {
    static let xClient = "ZXhhbXBsZS14LWNsaWVudA"
    static let xSecret = "x-client-secret"
}

/// X: authorization, token endpoint, and the call that names the user.
///
/// PKCE is required, and so is HTTP Basic for the client. https://docs.x.com/fundamentals/authentication/oauth-2-0
struct XSimulator: SimulatedProvider {
    /// X's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .x, client: Defaults.xClient, orders: MintOrder.ofCodes.union(["profile"])
    ) { _ in XSimulator() }

    /// The data that an access token opens.
    struct Access: Sendable {
        let user: JSONObject
        let scopes: [String]
    }

    static let scopes = ["users.read", "tweet.read"]

    let name = ProviderName.x
    let endpoints: [Endpoint] = [.token, .profile, .authorize, .consent]
    let desk = OAuthDesk<Access>(
        of: .x, client: Defaults.xClient, secret: Defaults.xSecret, newToken: { RandomText.base64URL(60) })

    func route(for path: [String]) -> Route? {
        switch path {
        case ["i", "oauth2", "authorize"]: Route(endpoint: .authorize, method: .get)
        case ["i", "oauth2", "authorize", "consent"]: Route(endpoint: .consent, method: .post)
        case ["2", "oauth2", "token"]: Route(endpoint: .token, method: .post)
        case ["2", "users", "me"]: Route(endpoint: .profile, method: .get)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .authorize: try consentPage(request, at: route)
        case .consent: try consent(request, at: route)
        case .profile: try user(request)
        default: try token(request)
        }
    }

    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let access = access(order, for: person)
        var minted = desk.mint(order, for: name, opening: access)
        minted.members["user"] = .object(access.user)
        return minted
    }

    func access(_ order: MintOrder, for person: Person) -> Access {
        let number = UInt64(person.digits(15, for: "x"), radix: 16) ?? 1
        let user: JSONObject = [
            "id": .string(person.subject ?? "1\(number)"), "name": .string(person.name),
            "username": .string("user_\(person.digits(8, for: "username"))"),
        ]
        return Access(user: order.replaced("profile", in: user), scopes: order.scopes ?? Self.scopes)
    }

    /// `GET users/me`, which requires both scopes.
    private func user(_ request: Received) throws -> Answer {
        try request.expectNoBody()
        try request.expectNoQuery()
        guard let access = try desk.access(by: request) else {
            throw problem(.unauthorized, "Unauthorized", reason: "the access token is unknown")
        }
        guard Set(access.scopes).isSuperset(of: Self.scopes) else {
            throw problem(.forbidden, "Forbidden", reason: "users/me takes users.read and tweet.read")
        }
        return .secret(["data": .object(access.user)])
    }

    /// The API's form of a refusal, which differs from the token endpoint's.
    private func problem(_ status: HTTPResponse.Status, _ title: String, reason: String) -> Refusal {
        let body: JSON = [
            "title": .string(title), "type": "about:blank", "status": .integer(status.code), "detail": .string(title),
        ]
        return Refusal(status, "api", title, reason: reason).inForm(.answer(.secret(body, status: status)))
    }

    /// `POST token`: exchanges a code and its verifier for an access token.
    private func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["grant_type", "code", "redirect_uri"], optional: ["client_id", "client_secret", "code_verifier"])
        let client = try identify(form, request)
        guard form.value("grant_type") == "authorization_code" else {
            throw Refusal.badRequest("unsupported_grant_type", "The grant type is not supported.")
        }
        let access: Access
        do { access = try desk.redeem(form, of: client.id, at: request.now) } catch {
            throw Refusal.badRequest(
                "invalid_request", "Value passed for the authorization code was invalid.", reason: error.reason)
        }
        return .secret([
            "token_type": "bearer", "expires_in": 7_200, "access_token": .string(desk.issue(access)),
            "scope": .string(access.scopes.joined(separator: " ")),
        ])
    }

    /// A confidential client authenticates by HTTP Basic only.
    private func identify(_ form: Parameters, _ request: Received) throws(Refusal) -> PresentedClient {
        let refusal = Refusal(
            .unauthorized, "unauthorized_client", "Missing valid authorization header",
            reason: "the client must prove itself by Basic, with the right secret")
        guard try request.header("authorization") != nil, form["client_secret"] == nil else { throw refusal }
        do { return try desk.clients.identify(form, request) } catch {
            throw error.error == "invalid_client" ? refusal : error
        }
    }
}
