import Cryptography
import FoundationEssentials
import Settings

extension ProviderID {
    package static let cognito = ProviderID(known: "cognito")
}

extension CognitoProvider: ConfigurableProvider {
    /// Cognito's entry in ``ProviderList/all``.
    ///
    /// A nonce is never required: the pool's own calls cannot put one into its tokens.
    package static let descriptor = ProviderDescriptor(
        .cognito, CognitoProvider.self, page: "docs/providers/cognito.md",
        keys: [
            .cognitoClientIDs, .cognitoRegion, .cognitoUserPoolID, .cognitoTrustEmail, .cognitoEndpoint,
            .cognitoAuthFlow,
            .cognitoClientSecret, .cognitoClientSecretExpires, .cognitoSessionMinutes,
        ]
    ) { settings, conditions in
        let clientIDs = settings.list(.cognitoClientIDs)
        let trustsEmail = settings.flag(.cognitoTrustEmail)
        let endpoint = settings.endpoint(.cognitoEndpoint, local: conditions.allowsLocal)
        let authFlow = settings.choice(.cognitoAuthFlow, else: AuthFlow.srp)
        let secret = settings.secret(.cognitoClientSecret)
        let expires = settings.end(.cognitoClientSecretExpires, of: secret, .cognitoClientSecret)
        let sessionMinutes = settings.number(.cognitoSessionMinutes, in: 3...15, else: 3)
        guard let clientIDs else { return nil }
        let (region, pool) = readPool(&settings)
        var configuration = Configuration(region: region, userPoolID: pool, clientIDs: clientIDs)
        (configuration.trustsEmail, configuration.endpoint) = (trustsEmail, endpoint)
        (configuration.authFlow, configuration.clientSecret) = (authFlow, secret)
        configuration.sessionLife = sessionMinutes * 60
        return ConfiguredProvider(
            .cognito, CognitoProvider.self, configuration,
            credentials: secret == nil ? [] : [.init(.clientSecret, expires: expires)], carriesNonces: false)
    }

    private static func readPool(_ settings: inout SettingsReader) -> (region: String, pool: String) {
        let region = settings.required(.cognitoRegion)
        let pool = settings.required(.cognitoUserPoolID)
        if !region.isEmpty, !isWord(region) {
            settings.complain(.cognitoRegion, "must be a region, such as eu-west-1")
        }
        if !pool.isEmpty, !pool.hasPrefix(region + "_") || !isWord(pool) {
            settings.complain(.cognitoUserPoolID, "must be the region, an underscore and the pool's name")
        }
        return (region, pool)
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
}

extension ConfigurationKey.Group {
    fileprivate static let cognito = Self("Cognito", "client ids turn it on")
}

extension ConfigurationKey {
    fileprivate static let cognitoClientIDs = ConfigurationKey(
        "COGNITO_CLIENT_IDS", .cognito, .list, example: .madeUp("cognitoclient0000000000001"),
        "The accepted audiences of ID tokens: app client ids. Enables the provider.")
    fileprivate static let cognitoRegion = ConfigurationKey(
        "COGNITO_REGION", .cognito, .text, example: .set("us-east-1"), "The pool's AWS region.")
    fileprivate static let cognitoUserPoolID = ConfigurationKey(
        "COGNITO_USER_POOL_ID", .cognito, .text, example: .madeUp("us-east-1_Example01"),
        "The pool's id, which starts with the region.")
    fileprivate static let cognitoTrustEmail = ConfigurationKey(
        "COGNITO_TRUST_EMAIL", .cognito, .flag, default: "false", "Treats the pool's verified addresses as proved.")
    fileprivate static let cognitoEndpoint = ConfigurationKey(
        "COGNITO_ENDPOINT", .cognito, .url, shownAs: "the pool's own",
        example: .set("http://cognito.localhost:8081/cognito"),
        "Replaces the pool's own address in calls; the issuer stays.")
    fileprivate static let cognitoAuthFlow = ConfigurationKey(
        "COGNITO_AUTH_FLOW", .cognito, .choice, default: "srp",
        "The pool's authentication flow for names and passwords: `srp`, `password`, `user_auth`, `custom`, `custom_srp`, or "
            + "`off`.")
    fileprivate static let cognitoClientSecret = ConfigurationKey(
        "COGNITO_CLIENT_SECRET", .cognito, secret: true, example: .form("a-secret"),
        "The secret of the first client, if it has one. Names and passwords use that client.")
    fileprivate static let cognitoClientSecretExpires = ConfigurationKey(
        "COGNITO_CLIENT_SECRET_EXPIRES", .cognito, shownAs: "not known", example: .form("2027-05-01"),
        "The expiry date of that secret, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    fileprivate static let cognitoSessionMinutes = ConfigurationKey(
        "COGNITO_SESSION_MINUTES", .cognito, .number, default: "3",
        "The client's authentication flow session duration in minutes: the lifetime of a challenge.")
}
