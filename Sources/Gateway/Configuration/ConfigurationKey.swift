/// One key of the configuration, with all that the reference says about it.
///
/// The keys are the single list behind reading, the check for misspelt keys, `docs/configuration.md` and the test that
/// compares `.env.example` with the code.
struct ConfigurationKey: Sendable, Equatable {
    /// What a value looks like.
    enum Kind: String, Sendable {
        case text
        case number
        case flag = "true or false"
        case list = "list, comma between"
        case choice
        case url = "URL"
        case file
    }

    /// Which table of the reference it stands in.
    enum Group: String, Sendable, CaseIterable {
        case server = "Server"
        case operations = "Operations"
        case database = "Database"
        case secrets = "Secrets at rest"
        case client = "The first app"
        case tokens = "Sessions and tokens"
        case accounts = "Accounts"
        case operators = "Operators"
        case claims = "Custom claims of the first app"
        case passwords = "Passwords"
        case passkeys = "Passkeys"
        case challenges = "Custom challenges"
        case linking = "Linking"
        case delivery = "Mail"
        case sms = "Text messages"
        case throttles = "Throttles"
        case providers = "Providers in general"
        case apple = "Apple"
        case amazon = "Amazon"
        case microsoft = "Microsoft"
        case cognito = "Cognito"
        case github = "GitHub"
        case openIDConnect = "OpenID Connect"
        case audit = "Audit log"
        case logging = "Logging"
    }

    /// The stand-in of a provider's id in the keys that exist once for each OpenID Connect provider.
    static let idPlaceholder = "<ID>"

    let name: String
    let group: Group
    let kind: Kind
    /// What holds when the key is unset; `nil` when nothing does.
    let standard: String?
    /// Printed in the reference in place of `standard`, where the default depends on the machine or on another key.
    let standardText: String?
    let isSecret: Bool
    let summary: String

    init(
        _ name: String, _ group: Group, _ kind: Kind = .text, default standard: String? = nil,
        shownAs standardText: String? = nil, secret: Bool = false, _ summary: String
    ) {
        self.name = name
        self.group = group
        self.kind = kind
        self.standard = standard
        self.standardText = standardText
        self.isSecret = secret
        self.summary = summary
    }

    /// The key for one OpenID Connect provider: `OIDC_<ID>_ISSUER` becomes `OIDC_GOOGLE_ISSUER`.
    func named(for id: String) -> ConfigurationKey {
        let upper = String(id.uppercased().map { $0 == "-" ? "_" : $0 })
        let parts = name.split(separator: Self.idPlaceholder, maxSplits: 1, omittingEmptySubsequences: false)
        return ConfigurationKey(
            parts.joined(separator: upper), group, kind, default: standard, shownAs: standardText, secret: isSecret,
            summary)
    }

    /// Every key there is, in the order of the reference.
    static let all: [ConfigurationKey] =
        ServerConfiguration.keys + OperationsConfiguration.keys + DatabaseConfiguration.keys
        + GatewayConfiguration.secretKeys + FirstClientConfiguration.keys + TokenConfiguration.keys
        + AccountConfiguration.keys + OperatorConfiguration.keys
        + ClaimsConfiguration.keys
        + PasswordConfiguration.keys + PasskeyConfiguration.keys + ChallengeConfiguration.keys
        + GatewayConfiguration.linkingKeys + DeliveryConfiguration.keys
        + ThrottleConfiguration.keys + ProviderSettings.keys + AppleSettings.keys + AmazonSettings.keys
        + MicrosoftSettings.keys + CognitoSettings.keys + GitHubSettings.keys + OpenIDConnectSettings.keys
        + AuditConfiguration.keys
        + LoggingConfiguration.keys
}
