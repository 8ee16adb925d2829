import Cryptography
import Foundation

/// One OpenID Connect provider, by configuration alone: its keys carry its id, `OIDC_GOOGLE_ISSUER`.
struct OpenIDConnectSettings: Sendable, Equatable {
    /// From `OIDC_PROVIDERS`: what apps send as `provider`.
    let id: String
    /// `OIDC_<ID>_NAME`: for people.
    ///
    /// Text, default the id, not secret.
    let name: String
    /// `OIDC_<ID>_ISSUER`: the issuer, exactly as in its tokens.
    ///
    /// URL, needed, not secret.
    let issuer: String
    /// `OIDC_<ID>_CLIENT_IDS`: the audiences taken.
    ///
    /// List, needed, not secret.
    let clientIDs: [String]
    /// `OIDC_<ID>_CLIENT_SECRET`: to exchange codes.
    ///
    /// Text, no default, secret.
    let clientSecret: Secret?
    /// `OIDC_<ID>_CLIENT_SECRET_EXPIRES`: the day on which that secret ends.
    ///
    /// Date, no default (not known), not secret.
    let clientSecretExpires: Date?
    /// `OIDC_<ID>_ALGORITHMS`: signature algorithms taken.
    ///
    /// List, default `RS256`, not secret.
    let algorithms: [SignatureAlgorithm]
    /// `OIDC_<ID>_EMAIL_DOMAINS`: domains whose addresses the provider proves, or `any`.
    ///
    /// List, no default (none; for Google its own rule), not secret.
    let emailDomains: [String]?
    /// `OIDC_<ID>_HOSTED_DOMAIN`: the `hd` that tokens must carry.
    ///
    /// Text, no default, not secret.
    let hostedDomain: String?
    /// `OIDC_<ID>_AUTHORIZED_PARTIES`: `azp` values taken.
    ///
    /// List, default the client ids, not secret.
    let authorizedParties: [String]?
    /// `OIDC_<ID>_ENDPOINT`: called in place of the issuer.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
}

extension OpenIDConnectSettings {
    static let keys: [ConfigurationKey] = [
        .openIDConnectProviders, .openIDConnectName, .openIDConnectIssuer, .openIDConnectClientIDs,
        .openIDConnectClientSecret, .openIDConnectClientSecretExpires, .openIDConnectAlgorithms,
        .openIDConnectEmailDomains, .openIDConnectHostedDomain, .openIDConnectAuthorizedParties,
        .openIDConnectEndpoint,
    ]

    private static let reserved: Set<String> = [
        "apple", "amazon", "microsoft", "cognito", "github", "password", "email_otp", "sms_otp", "passkey",
        "providers",
    ]

    /// Every provider that `OIDC_PROVIDERS` names.
    static func all(_ settings: inout SettingsReader, local: Bool) -> [OpenIDConnectSettings] {
        var found: [OpenIDConnectSettings] = []
        for id in settings.list(.openIDConnectProviders) ?? [] {
            guard isProviderID(id), !reserved.contains(id) else {
                settings.complain(
                    .openIDConnectProviders,
                    "\(id) can't be an id: small letters, digits, - and _, a letter first, and none of our own names")
                continue
            }
            guard !found.contains(where: { $0.environmentName == environmentName(id) }) else {
                settings.complain(.openIDConnectProviders, "names \(id) twice")
                continue
            }
            found.append(OpenIDConnectSettings(&settings, id: id, local: local))
        }
        return found
    }

    private init(_ settings: inout SettingsReader, id: String, local: Bool) {
        self.id = id
        name = settings.text(.openIDConnectName.named(for: id)) ?? id
        issuer = Self.readIssuer(&settings, .openIDConnectIssuer.named(for: id), local: local)
        clientIDs = Self.readClientIDs(&settings, .openIDConnectClientIDs.named(for: id))
        clientSecret = settings.secret(.openIDConnectClientSecret.named(for: id))
        clientSecretExpires = settings.end(
            .openIDConnectClientSecretExpires.named(for: id), of: clientSecret,
            .openIDConnectClientSecret.named(for: id))
        algorithms = Self.readAlgorithms(&settings, .openIDConnectAlgorithms.named(for: id))
        emailDomains = settings.list(.openIDConnectEmailDomains.named(for: id))?.map { $0.lowercased() }
        hostedDomain = settings.text(.openIDConnectHostedDomain.named(for: id))
        authorizedParties = settings.list(.openIDConnectAuthorizedParties.named(for: id))
        endpoint = settings.endpoint(.openIDConnectEndpoint.named(for: id), local: local)
    }

    private var environmentName: String { Self.environmentName(id) }

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

    private static func readAlgorithms(_ settings: inout SettingsReader, _ key: ConfigurationKey)
        -> [SignatureAlgorithm]
    {
        (settings.list(key) ?? []).compactMap { name in
            guard let algorithm = SignatureAlgorithm(rawValue: name) else {
                let known = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                settings.complain(key, "must be among: \(known)")
                return nil
            }
            return algorithm
        }
    }

    private static func isProviderID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, (0x61...0x7A).contains(first), bytes.count <= 32 else { return false }
        return bytes.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
    }
}

extension ConfigurationKey {
    static let openIDConnectProviders = ConfigurationKey(
        "OIDC_PROVIDERS", .openIDConnect, .list, shownAs: "none",
        "Ids of the OpenID Connect providers; each has the keys below with its id in capitals, `-` as `_`.")
    static let openIDConnectName = ConfigurationKey(
        "OIDC_<ID>_NAME", .openIDConnect, shownAs: "the id", "Its name, for people.")
    static let openIDConnectIssuer = ConfigurationKey(
        "OIDC_<ID>_ISSUER", .openIDConnect, .url, "Its issuer, exactly as its tokens spell it. Needed.")
    static let openIDConnectClientIDs = ConfigurationKey(
        "OIDC_<ID>_CLIENT_IDS", .openIDConnect, .list, "The audiences taken. Needed.")
    static let openIDConnectClientSecret = ConfigurationKey(
        "OIDC_<ID>_CLIENT_SECRET", .openIDConnect, secret: true, "To exchange authorization codes.")
    static let openIDConnectClientSecretExpires = ConfigurationKey(
        "OIDC_<ID>_CLIENT_SECRET_EXPIRES", .openIDConnect, shownAs: "not known",
        "The day on which that secret ends, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    static let openIDConnectAlgorithms = ConfigurationKey(
        "OIDC_<ID>_ALGORITHMS", .openIDConnect, .list, default: "RS256", "The signature algorithms taken.")
    static let openIDConnectEmailDomains = ConfigurationKey(
        "OIDC_<ID>_EMAIL_DOMAINS", .openIDConnect, .list, shownAs: "none; google: gmail.com and the token's `hd`",
        "Domains whose addresses the provider proves, exactly these, or `any`.")
    static let openIDConnectHostedDomain = ConfigurationKey(
        "OIDC_<ID>_HOSTED_DOMAIN", .openIDConnect, shownAs: "not compared", "The `hd` that tokens must carry.")
    static let openIDConnectAuthorizedParties = ConfigurationKey(
        "OIDC_<ID>_AUTHORIZED_PARTIES", .openIDConnect, .list, shownAs: "the client ids", "The `azp` values taken.")
    static let openIDConnectEndpoint = ConfigurationKey(
        "OIDC_<ID>_ENDPOINT", .openIDConnect, .url, shownAs: "the issuer",
        "Called in place of the issuer, which stays what it is.")
}
