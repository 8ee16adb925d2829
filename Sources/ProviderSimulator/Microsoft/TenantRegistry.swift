import JSON
import Synchronization

/// A Microsoft authority: a tenant, or a common name for many.
struct Tenant: Sendable, Equatable {
    let id: String
    /// Customers' tenants have a separate issuer host.
    let isExternal: Bool

    /// `common` and `organizations` name no tenant: their documented issuer is a template.
    var issuer: String {
        switch id {
        case "common", "organizations": "https://login.microsoftonline.com/{tenantid}/v2.0"
        case "consumers": "https://login.microsoftonline.com/\(Defaults.microsoftConsumerTenant)/v2.0"
        default: "https://\(host)/\(id)/v2.0"
        }
    }

    func discovery(base: String) -> JSONObject {
        let authority = "\(base)/microsoft/\(id)"
        return [
            "token_endpoint": .string("\(authority)/oauth2/v2.0/token"),
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "jwks_uri": .string("\(authority)/discovery/v2.0/keys"),
            "response_modes_supported": ["query", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code"],
            "scopes_supported": ["openid", "profile", "email"],
            "issuer": .string(issuer),
            "request_uri_parameter_supported": false,
            "authorization_endpoint": .string("\(authority)/oauth2/v2.0/authorize"),
            "claims_supported": [
                "sub", "iss", "aud", "exp", "iat", "auth_time", "acr", "nonce", "preferred_username", "name", "tid",
                "ver",
                "at_hash", "c_hash", "email",
            ],
        ]
    }

    private var host: String { isExternal ? "\(id).ciamlogin.com" : "login.microsoftonline.com" }
}

/// The existing tenants; a mint order adds its tenant.
final class TenantRegistry: Sendable {
    private static let usual = [
        Tenant(id: "common", isExternal: false), Tenant(id: "organizations", isExternal: false),
        Tenant(id: "consumers", isExternal: false),
        Tenant(id: Defaults.microsoftConsumerTenant, isExternal: false),
        Tenant(id: Defaults.microsoftTenant, isExternal: false),
        Tenant(id: Defaults.microsoftExternalTenant, isExternal: true),
    ]

    private let tenants = Mutex<[String: Tenant]>([:])

    init() { reset() }

    subscript(_ id: String) -> Tenant? {
        tenants.withLock { $0[id] }
    }

    /// The tenant of an authority's users; a common name always gives the same one.
    func home(of authority: String) -> Tenant? {
        switch authority {
        case "common", "organizations": self[Defaults.microsoftTenant]
        case "consumers": self[Defaults.microsoftConsumerTenant]
        default: self[authority]
        }
    }

    func register(_ id: String, isExternal: Bool?) -> Tenant {
        tenants.withLock { tenants in
            let tenant = Tenant(id: id, isExternal: isExternal ?? tenants[id]?.isExternal ?? false)
            tenants[id] = tenant
            return tenant
        }
    }

    func reset() {
        let usual = Dictionary(uniqueKeysWithValues: Self.usual.map { ($0.id, $0) })
        tenants.withLock { $0 = usual }
    }
}
