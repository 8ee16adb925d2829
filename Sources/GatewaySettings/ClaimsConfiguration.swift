import Clients
import Settings

/// Additional claims of the first app's access tokens.
package struct ClaimsConfiguration: Sendable, Equatable {
    /// Nil without additional claims.
    let policy: ClaimsPolicy?
    /// `CLAIMS_TENANT`: the GUID that identifies this gateway to claims services.
    ///
    /// Text, default derived from `PUBLIC_URL` (`nil`), not secret.
    package let tenant: String?
}

extension ClaimsConfiguration {
    static let keys: [ConfigurationKey] = [
        .claimsURL, .claimsAudience, .claimsApplication, .claimsTenant, .claimsAllowed, .claimsFailure,
        .claimsRefresh, .claimsAttributes,
    ]

    init(_ settings: inout SettingsReader, local: Bool) {
        tenant = settings.identifier(.claimsTenant)
        let service = Self.service(&settings, local: local)
        let attributes = Self.mappings(&settings, besides: service?.allowed ?? [])
        let isClosed = settings.choice(.claimsFailure, else: ClaimsPolicy.Failure.closed) == .closed
        let seconds = settings.number(.claimsRefresh, in: 0...31_536_000)
        if (1..<60).contains(seconds) { settings.complain(.claimsRefresh, "must be 0 or at least 60") }
        guard service != nil || !attributes.isEmpty else {
            policy = nil
            return
        }
        policy = ClaimsPolicy(
            service: service, isClosed: isClosed, attributes: attributes, refreshSeconds: seconds == 0 ? nil : seconds)
    }

    private static func service(_ settings: inout SettingsReader, local: Bool) -> ClaimsPolicy.Service? {
        let url = settings.endpoint(.claimsURL, local: local)
        let audience = settings.text(.claimsAudience)
        let application = settings.identifier(.claimsApplication)
        let allowed = settings.list(.claimsAllowed) ?? []
        for name in allowed where !ClaimName.isAllowed(name) {
            settings.complain(.claimsAllowed, "\(name) is \(fault(of: name))")
        }
        guard let url else { return nil }
        if audience == nil { settings.complain(.claimsAudience, "is missing: CLAIMS_URL is set") }
        if allowed.isEmpty { settings.complain(.claimsAllowed, "is missing: CLAIMS_URL is set") }
        guard let audience else { return nil }
        return ClaimsPolicy.Service(
            url: url, audience: audience, application: application ?? ClaimsPolicy.entraApplication, allowed: allowed)
    }

    private static func mappings(
        _ settings: inout SettingsReader, besides allowed: [String]
    ) -> [ClaimsPolicy.Mapping] {
        let texts = settings.list(.claimsAttributes) ?? []
        let mappings = texts.compactMap(ClaimsPolicy.Mapping.init)
        for text in texts where ClaimsPolicy.Mapping(text) == nil {
            settings.complain(.claimsAttributes, "\(text) is no attribute:claim, or the claim's name is taken")
        }
        if Set(mappings.map(\.attribute)).count < mappings.count {
            settings.complain(.claimsAttributes, "names an attribute twice")
        }
        let claims = mappings.map(\.claim) + allowed
        if Set(claims).count < claims.count {
            settings.complain(.claimsAttributes, "gives a claim twice, or one that CLAIMS_ALLOWED has")
        }
        return mappings
    }

    private static func fault(of name: String) -> String {
        ClaimName.reserved.contains(name) ? "for the gateway alone to say" : "no name of a claim"
    }
}

extension ConfigurationKey {
    static let claimsURL = ConfigurationKey(
        "CLAIMS_URL", .claims, .url, example: .form("https://claims.example.org/issuance"),
        "The webhook that adds claims to tokens, in the contract of Entra's `onTokenIssuanceStart`: [webhooks.md](webhooks.md)."
    )
    static let claimsAudience = ConfigurationKey(
        "CLAIMS_AUDIENCE", .claims, .text, example: .form("11112222-bbbb-3333-cccc-4444dddd5555"),
        "`aud` of the token that authenticates the gateway to the webhook. Required with CLAIMS_URL.")
    static let claimsApplication = ConfigurationKey(
        "CLAIMS_APPLICATION", .claims, .text, default: ClaimsPolicy.entraApplication,
        "`azp` and `appid` of that token, a GUID; the default is Entra's own.")
    static let claimsTenant = ConfigurationKey(
        "CLAIMS_TENANT", .claims, .text, shownAs: "made of PUBLIC_URL",
        example: .form("01234567-89ab-cdef-0123-456789abcdef"),
        "`tid` of that token and `tenantId` of the request, a GUID.")
    static let claimsAllowed = ConfigurationKey(
        "CLAIMS_ALLOWED", .claims, .list, shownAs: "none", example: .form("tier,groups"),
        "The claims of the webhook's answer that reach access tokens; others are dropped. Required with CLAIMS_URL.")
    static let claimsFailure = ConfigurationKey(
        "CLAIMS_FAILURE", .claims, .choice, default: "closed",
        "If the webhook does not answer: `closed` refuses the sign-in, `open` continues without claims.")
    static let claimsRefresh = ConfigurationKey(
        "CLAIMS_REFRESH_SECONDS", .claims, .number, default: "0",
        "Seconds after which a refresh asks the webhook again, at least 60. 0: once per session."
    )
    static let claimsAttributes = ConfigurationKey(
        "CLAIMS_ATTRIBUTES", .claims, .list, shownAs: "none", example: .form("display_name:name,email:email"),
        "Claims from the account, as `attribute:claim`. The attribute is one of CLIENT_ATTRIBUTES, or `display_name`, `user_name`, `email` or `phone` (the last two only if proved)."
    )
}
