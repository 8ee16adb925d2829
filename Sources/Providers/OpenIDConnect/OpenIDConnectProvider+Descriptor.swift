import Cryptography
import FoundationEssentials
package import Settings

extension OpenIDConnectProvider: ConfigurableProvider {
    /// The entry of OpenID Connect in ``ProviderList/all``: one provider for each id in `OIDC_PROVIDERS`.
    package static let descriptor = ProviderDescriptor(
        OpenIDConnectProvider.self, page: "docs/providers/openid-connect.md",
        keys: [
            .openIDConnectProviders, .openIDConnectName, .openIDConnectIssuer, .openIDConnectClientIDs,
            .openIDConnectClientSecret, .openIDConnectClientSecretExpires, .openIDConnectAlgorithms,
            .openIDConnectEmailDomains, .openIDConnectHostedDomain, .openIDConnectAuthorizedParties,
            .openIDConnectAssertions, .openIDConnectEndpoint,
        ], brands: [google]
    ) { settings, conditions in
        var found: [ConfiguredProvider] = []
        for name in settings.list(.openIDConnectProviders) ?? [] {
            guard let id = ProviderID(rawValue: name), !ProviderList.reservedIDs.contains(name) else {
                settings.complain(
                    .openIDConnectProviders,
                    "\(name) can't be an id: small letters, digits, - and _, a letter first, and none of our own names")
                continue
            }
            guard !found.contains(where: { environmentName($0.id.rawValue) == environmentName(name) }) else {
                settings.complain(.openIDConnectProviders, "names \(name) twice")
                continue
            }
            found.append(read(&settings, id, conditions))
        }
        return found
    }

    private static func read(
        _ settings: inout SettingsReader, _ id: ProviderID, _ conditions: ProviderConditions
    ) -> ConfiguredProvider {
        func key(_ key: ConfigurationKey) -> ConfigurationKey { key.named(for: id.rawValue) }
        let local = conditions.allowsLocal
        var configuration = Configuration(
            id: id, name: settings.text(key(.openIDConnectName)) ?? id.rawValue,
            issuer: readIssuer(&settings, key(.openIDConnectIssuer), local: local),
            clientIDs: readClientIDs(&settings, key(.openIDConnectClientIDs)))
        let secretKey = key(.openIDConnectClientSecret)
        let secret = settings.secret(secretKey)
        let expires = settings.end(key(.openIDConnectClientSecretExpires), of: secret, secretKey)
        configuration.clientSecret = secret
        configuration.algorithms = readAlgorithms(&settings, key(.openIDConnectAlgorithms))
        configuration.emailDomains = readDomains(&settings, key(.openIDConnectEmailDomains))
        configuration.hostedDomain = settings.text(key(.openIDConnectHostedDomain))
        configuration.authorizedParties = settings.list(key(.openIDConnectAuthorizedParties)) ?? []
        configuration.isTrustedToAssert = settings.flag(key(.openIDConnectAssertions))
        configuration.endpoint = settings.endpoint(key(.openIDConnectEndpoint), local: local)
        configuration.requiresNonce = conditions.requiresNonce
        return ConfiguredProvider(
            id, OpenIDConnectProvider.self, configuration,
            credentials: secret == nil ? [] : [.init(.clientSecret, expires: expires)])
    }

    private static func environmentName(_ id: String) -> String {
        ConfigurationKey.openIDConnectIssuer.named(for: id).name
    }

    private static func readIssuer(_ settings: inout SettingsReader, _ key: ConfigurationKey, local: Bool) -> String {
        let text = settings.required(key)
        guard !text.isEmpty else { return text }
        if EndpointURL(text)?.isSecure != true {
            settings.complain(key, "must be https, without query or fragment")
        } else if !local, EndpointURL(text)?.isLocal == true {
            settings.complain(
                key, "must be a public host; INSECURE_ALLOW_LOCAL_PROVIDERS=true lifts this for development")
        }
        return text
    }

    private static func readClientIDs(_ settings: inout SettingsReader, _ key: ConfigurationKey) -> [String] {
        let before = settings.complaints.count
        if let ids = settings.list(key) { return ids }
        if settings.complaints.count == before { settings.complain(key, "is missing: name at least one audience") }
        return []
    }

    private static func readAlgorithms(
        _ settings: inout SettingsReader, _ key: ConfigurationKey
    ) -> Set<SignatureAlgorithm> {
        Set(
            (settings.list(key) ?? []).compactMap { name in
                guard let algorithm = SignatureAlgorithm(rawValue: name) else {
                    let known = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                    settings.complain(key, "must be among: \(known)")
                    return nil
                }
                return algorithm
            })
    }

    /// Nil leaves the choice to the adapter, which knows Google's rule; a list is taken literally.
    private static func readDomains(_ settings: inout SettingsReader, _ key: ConfigurationKey) -> EmailDomains? {
        let listed = settings.list(key)?.map { (InternationalDomain.ascii($0) ?? $0).lowercased() }
        return listed.map { $0 == ["any"] ? .any : .listed($0) }
    }

    private static let google = ProviderBrand(
        ProviderID(known: "google"),
        icon: ProviderBrand.icon(
            box: 48,
            #"""
            <path fill="#EA4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/>\#
            <path fill="#4285F4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/>\#
            <path fill="#FBBC05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/>\#
            <path fill="#34A853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/>
            """#),
        light: .init(border: "#747775", background: "#fff", text: "#1f1f1f", hoverBackground: "#f3f5f8"),
        dark: .init(border: "#8e918f", background: "#131314", text: "#e3e3e3", hoverBackground: "#232426"),
        labels: [
            "en": "Sign in with Google", "zh-Hans": "使用 Google 账号登录", "ja": "Google でログイン",
            "ru": "Войти с аккаунтом Google", "de": "Über Google anmelden",
        ])
}

extension ConfigurationKey.Group {
    fileprivate static let openIDConnect = Self(
        "OpenID Connect", "any number of providers, each with keys that carry its id")
}

extension ConfigurationKey {
    package static let openIDConnectProviders = ConfigurationKey(
        "OIDC_PROVIDERS", .openIDConnect, .list, shownAs: "none", example: .set("google,acme"),
        "Ids of the OpenID Connect providers. Each has the keys below, with its id in capitals and `-` as `_`.")
    fileprivate static let openIDConnectName = ConfigurationKey(
        "OIDC_<ID>_NAME", .openIDConnect, shownAs: "the id",
        examplesByID: ["google": .set("Google"), "acme": .set("Acme")], "The provider's display name.")
    fileprivate static let openIDConnectIssuer = ConfigurationKey(
        "OIDC_<ID>_ISSUER", .openIDConnect, .url,
        examplesByID: ["google": .set("https://accounts.google.com"), "acme": .set("https://id.acme.example")],
        "The provider's issuer, exactly as its tokens spell it. Required.")
    fileprivate static let openIDConnectClientIDs = ConfigurationKey(
        "OIDC_<ID>_CLIENT_IDS", .openIDConnect, .list,
        examplesByID: ["google": .madeUp("google-client.apps.googleusercontent.com"), "acme": .madeUp("acme-client")],
        "The accepted audiences of ID tokens. Required.")
    fileprivate static let openIDConnectClientSecret = ConfigurationKey(
        "OIDC_<ID>_CLIENT_SECRET", .openIDConnect, secret: true,
        examplesByID: ["google": .madeUp("google-secret"), "acme": .madeUp("acme-secret")],
        "Exchanges authorization codes.")
    fileprivate static let openIDConnectClientSecretExpires = ConfigurationKey(
        "OIDC_<ID>_CLIENT_SECRET_EXPIRES", .openIDConnect, shownAs: "not known",
        examplesByID: ["google": .form("2027-05-01")],
        "The expiry date of that secret, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    fileprivate static let openIDConnectAlgorithms = ConfigurationKey(
        "OIDC_<ID>_ALGORITHMS", .openIDConnect, .list, default: "RS256", "The accepted signature algorithms.")
    fileprivate static let openIDConnectEmailDomains = ConfigurationKey(
        "OIDC_<ID>_EMAIL_DOMAINS", .openIDConnect, .list, shownAs: "none; google: gmail.com and the token's `hd`",
        examplesByID: ["google": .form("gmail.com,your-company.com")],
        "Domains for which the provider proves addresses, exactly these, or `any`.")
    fileprivate static let openIDConnectHostedDomain = ConfigurationKey(
        "OIDC_<ID>_HOSTED_DOMAIN", .openIDConnect, shownAs: "not compared",
        examplesByID: ["google": .form("your-company.com")], "The required `hd` claim of tokens.")
    fileprivate static let openIDConnectAuthorizedParties = ConfigurationKey(
        "OIDC_<ID>_AUTHORIZED_PARTIES", .openIDConnect, .list, shownAs: "the client ids",
        examplesByID: ["google": .form("google-client.apps.googleusercontent.com")], "The accepted `azp` values.")
    fileprivate static let openIDConnectAssertions = ConfigurationKey(
        "OIDC_<ID>_ASSERTIONS", .openIDConnect, .flag, default: "false",
        "Lets its identity assertions begin sessions of apps: [agents.md](agents.md#company-managed-agents).")
    fileprivate static let openIDConnectEndpoint = ConfigurationKey(
        "OIDC_<ID>_ENDPOINT", .openIDConnect, .url, shownAs: "the issuer",
        examplesByID: [
            "google": .set("http://google.localhost:8081/google"), "acme": .set("http://acme.localhost:8081/acme"),
        ],
        "Replaces the issuer's address in calls; the issuer stays.")
}
