import HTTPTypes
import JSON

extension ProviderName {
    static let discord = ProviderName(known: "discord")
}

/// `.env.example` contains the same values.
extension Defaults {
    static let discordClient = "100000000000000001"
    static let discordSecret = "discord-secret"
}

/// Discord: authorization, token endpoint, and the call that names the user.
///
/// https://docs.discord.com/developers/topics/oauth2
struct DiscordSimulator: SimulatedProvider {
    /// Discord's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .discord, client: Defaults.discordClient, orders: MintOrder.ofCodes.union(["profile"])
    ) { _ in DiscordSimulator() }

    /// The data that an access token opens.
    struct Access: Sendable {
        let user: JSONObject
        let scopes: [String]
    }

    static let scopes = ["identify", "email"]

    let name = ProviderName.discord
    let endpoints: [Endpoint] = [.token, .profile, .authorize, .consent]
    let desk = OAuthDesk<Access>(of: .discord, client: Defaults.discordClient, secret: Defaults.discordSecret)

    func route(for path: [String]) -> Route? {
        switch path {
        case ["oauth2", "authorize"]: Route(endpoint: .authorize, method: .get)
        case ["oauth2", "authorize", "consent"]: Route(endpoint: .consent, method: .post)
        case ["api", "oauth2", "token"]: Route(endpoint: .token, method: .post)
        case ["api", "v10", "users", "@me"]: Route(endpoint: .profile, method: .get)
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

    /// The user with the granted scopes: without `email` neither the address nor its confirmation.
    func access(_ order: MintOrder, for person: Person) -> Access {
        let number = UInt64(person.digits(15, for: "discord"), radix: 16) ?? 1
        var user: JSONObject = [
            "id": .string(person.subject ?? "1\(number)"), "username": .string("user.\(person.digits(8, for: "name"))"),
            "discriminator": "0", "global_name": person.name.isEmpty ? nil : .string(person.name),
            "mfa_enabled": false, "locale": "en-US",
        ]
        let scopes = order.scopes ?? Self.scopes
        if scopes.contains("email") {
            user["email"] = person.email.isEmpty ? .null : .string(person.email)
            user["verified"] = .bool(!person.email.isEmpty)
        }
        return Access(user: order.replaced("profile", in: user), scopes: scopes)
    }

    /// `GET users/@me`.
    private func user(_ request: Received) throws -> Answer {
        try request.expectNoBody()
        try request.expectNoQuery()
        guard let access = try desk.access(by: request) else {
            let body: JSON = ["message": "401: Unauthorized", "code": 0]
            throw Refusal(.unauthorized, "unauthorized", "401: Unauthorized", reason: "the access token is unknown")
                .inForm(.answer(.secret(body, status: .unauthorized)))
        }
        return .secret(.object(access.user))
    }

    /// `POST token`: exchanges a code for an access token; the client by Basic or in the form.
    private func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["grant_type", "code", "redirect_uri"], optional: ["client_id", "client_secret", "code_verifier"])
        let client = try desk.clients.identify(form, request)
        guard client.isAuthenticated else { throw desk.clients.refusal("no client secret") }
        guard form.value("grant_type") == "authorization_code" else {
            throw Refusal.badRequest("unsupported_grant_type", "Unsupported grant type")
        }
        let access: Access
        do { access = try desk.redeem(form, of: client.id, at: request.now) } catch {
            throw Refusal.badRequest("invalid_grant", "Invalid \"code\" in request.", reason: error.reason)
        }
        return .secret([
            "token_type": "Bearer", "access_token": .string(desk.issue(access)), "expires_in": 604_800,
            "refresh_token": .string(RandomText.base64URL(24)), "scope": .string(access.scopes.joined(separator: " ")),
        ])
    }
}
