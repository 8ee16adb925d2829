import HTTPTypes
import JSON

/// Microsoft Entra: discovery, keys, authorization and token endpoint, and v2.0 ID tokens.
///
/// It covers workforce and external tenants, and native authentication at external tenants.
///
/// https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
struct MicrosoftSimulator: SimulatedProvider {
    let name = ProviderName.microsoft
    let endpoints: [Endpoint] = [.discovery, .keys, .token, .authorize, .consent, .native]
    let tenants = TenantRegistry()
    let clients = ClientRegistry(secret: Defaults.microsoftSecret, usual: Defaults.microsoftClient)
    let codes = CodeStore<IDTokenPurchase>()
    let native = NativeAuthentication()
    let redirects = RedirectAddresses(of: .microsoft)
    let forge = TokenForge(keys: KeyRing(style: .microsoft), type: "JWT")

    func route(for path: [String]) -> Route? {
        guard let tenant = path.first else { return nil }
        return switch Array(path.dropFirst()) {
        case ["v2.0", ".well-known", "openid-configuration"]:
            Route(endpoint: .discovery, method: .get, variable: tenant)
        case ["discovery", "v2.0", "keys"]: Route(endpoint: .keys, method: .get, variable: tenant)
        case ["oauth2", "v2.0", "token"]: Route(endpoint: .token, method: .post, variable: tenant)
        case ["oauth2", "v2.0", "authorize"]: Route(endpoint: .authorize, method: .get, variable: tenant)
        case ["oauth2", "v2.0", "authorize", "consent"]:
            Route(endpoint: .consent, method: .post, variable: tenant)
        case let rest:
            NativeOperation(rawValue: rest.joined(separator: "/")).map { _ in
                Route(endpoint: .native, method: .post, variable: tenant)
            }
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        if [.token, .native].contains(route.endpoint), let operation = nativeOperation(request, at: route) {
            return try native(operation, request, at: route)
        }
        switch route.endpoint {
        case .token: return try token(request, at: home(of: route.variable))
        case .authorize: return try consentPage(request, at: route)
        case .consent: return try consent(request, at: route)
        default: break
        }
        try request.expectNoQuery()
        try request.expectNoBody()
        guard let tenant = tenants[route.variable] else { throw unknownTenant(route.variable) }
        let cacheControl = "max-age=86400, private"
        guard route.endpoint == .keys else {
            return .document(.object(tenant.discovery(base: request.base)), cacheControl: cacheControl)
        }
        // Microsoft's keys name no algorithm.
        return .document(try forge.keys.keySet(hiding: ["alg"]), cacheControl: cacheControl)
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    func reset() {
        tenants.reset()
        clients.reset()
        codes.removeAll()
        native.reset()
        redirects.reset()
    }

    /// The tenant of an authority's users.
    func home(of authority: String) throws(Refusal) -> Tenant {
        guard let tenant = tenants.home(of: authority) else { throw unknownTenant(authority) }
        return tenant
    }

    private func unknownTenant(_ id: String) -> Refusal {
        .badRequest("invalid_tenant", "AADSTS90002: Tenant '\(id)' not found.", reason: "the tenant is not known")
    }
}
