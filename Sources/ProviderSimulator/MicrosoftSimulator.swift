import Cryptography
import HTTPTypes
import JSON
import Synchronization

/// Microsoft Entra: discovery and keys of workforce and external tenants, and v2.0 ID tokens.
///
/// https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
struct MicrosoftSimulator: SimulatedProvider {
    let name = ProviderName.microsoft
    let endpoints: [Endpoint] = [.discovery, .keys]
    let tenants = TenantRegistry()
    let forge = TokenForge(keys: KeyRing(style: .microsoft), type: "JWT")

    func route(for path: [String]) -> Route? {
        guard let tenant = path.first else { return nil }
        return switch Array(path.dropFirst()) {
        case ["v2.0", ".well-known", "openid-configuration"]:
            Route(endpoint: .discovery, method: .get, variable: tenant)
        case ["discovery", "v2.0", "keys"]: Route(endpoint: .keys, method: .get, variable: tenant)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        try request.expectNoQuery()
        try request.expectNoBody()
        guard let tenant = tenants[route.variable] else {
            throw Refusal.badRequest(
                "invalid_tenant", "AADSTS90002: Tenant '\(route.variable)' not found.",
                reason: "the tenant is not known")
        }
        let cacheControl = "max-age=86400, private"
        guard route.endpoint == .keys else {
            return .document(.object(tenant.discovery(base: request.base)), cacheControl: cacheControl)
        }
        // Microsoft's keys don't say for which algorithm they are.
        return .document(try forge.keys.keySet(hiding: ["alg"]), cacheControl: cacheControl)
    }

    /// A v2.0 ID token as MSAL hands it to an app.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let tenant = tenants.register(order.tenant ?? Defaults.microsoftTenant, isExternal: order.isExternalTenant)
        let claims = order.claims(claims(order, for: person, in: tenant))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        var credential: JSONObject = ["id_token": .string(token)]
        credential.add("nonce", order.nonce)
        return Minted(
            members: ["provider": "microsoft", "id_token": .string(token), "claims": .object(claims)], token: token,
            credential: credential)
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    func reset() { tenants.reset() }

    /// `oid` names the person in the tenant, `sub` is another one for each client.
    private func claims(_ order: MintOrder, for person: Person, in tenant: Tenant) -> JSONObject {
        let objectID = person.subject ?? person.guid(for: "microsoft")
        let pairwise = SHA256.hash("\(order.clientID):\(tenant.id):\(objectID)")
        var claims: JSONObject = [
            "ver": "2.0", "iss": .string(tenant.issuer), "sub": .string(Base64URL.encode(pairwise)),
            "aud": .string(order.clientID), "exp": .integer(order.seconds + 3600), "iat": .integer(order.seconds),
            "nbf": .integer(order.seconds), "name": .string(person.name),
            "preferred_username": .string(person.email), "oid": .string(objectID),
            "email": .string(person.email), "tid": .string(tenant.id),
        ]
        claims.add("nonce", order.nonce)
        claims["uti"] = .string(RandomText.base64URL(16))
        return claims
    }
}
