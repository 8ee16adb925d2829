import Accounts
import Cryptography
import Sessions
import Settings

/// The first app, put into the database at start when it isn't there yet; later ones are kept in the database alone.
struct FirstClientConfiguration: Sendable, Equatable {
    /// `CLIENT_ID`: what the app sends as `client_id`.
    ///
    /// Text, no default (no first app), not secret.
    let id: String
    /// `CLIENT_NAME`: what people read.
    ///
    /// Text, default the id, not secret.
    let name: String
    /// `CLIENT_TYPE`: whether the app can keep a secret.
    ///
    /// Choice, default `public`, not secret.
    let kind: Client.Kind
    /// `CLIENT_SECRET`: a confidential client's own; a public one's back end introspects with it.
    ///
    /// Text, no default, secret.
    let secret: Secret?
    /// `CLIENT_ORIGINS`: web origins that may call us from a browser.
    ///
    /// List, default none, not secret.
    let origins: [String]
    /// `CLIENT_REDIRECT_URIS`: where a browser may be sent when somebody has signed in.
    ///
    /// List, default none, not secret.
    let redirectURIs: [RedirectURI]
    /// `CLIENT_PROVIDERS`: the providers the app may use.
    ///
    /// List, default all (`nil`), not secret.
    let providers: [String]?
    /// `CLIENT_ACCEPTED_AUDIENCES`: the audiences that providers' tokens may have, by provider.
    ///
    /// List, default all, not secret.
    let acceptedAudiences: [String: [String]]
    /// `CLIENT_SECOND_FACTOR`: whether everybody who signs in to it needs two factors.
    ///
    /// Choice, default `optional`, not secret.
    let demandsSecondFactor: Bool
    /// `CLIENT_SIGN_UP_NAMES`: what people may sign up with.
    ///
    /// List, default `email`, not secret.
    let signUpNames: [SignInName.Kind]
    /// `CLIENT_ATTRIBUTES`: what else is asked at sign-up.
    ///
    /// List, default none, not secret.
    let attributes: [ClientAttribute]
    /// `CLIENT_CUSTOM_CHALLENGE`: whether the custom challenge may be a second factor for the app's people.
    ///
    /// True or false, default false, not secret.
    let hasCustomChallenge: Bool

    enum SecondFactor: String, CaseIterable {
        case optional, required
    }
}

extension FirstClientConfiguration {
    static let keys: [ConfigurationKey] = [
        .clientID, .clientName, .clientType, .clientSecret, .clientOrigins, .clientRedirectURIs, .clientProviders,
        .clientAcceptedAudiences,
        .clientSecondFactor, .clientSignUpNames, .clientAttributes, .clientCustomChallenge,
    ]

    init?(_ settings: inout SettingsReader) {
        let id = settings.text(.clientID)
        name = settings.text(.clientName) ?? id ?? ""
        kind = settings.choice(.clientType, else: Client.Kind.public)
        secret = settings.secret(.clientSecret)
        origins = settings.list(.clientOrigins) ?? []
        let redirects = settings.list(.clientRedirectURIs) ?? []
        redirectURIs = redirects.compactMap { RedirectURI($0) }
        for text in redirects where RedirectURI(text) == nil {
            settings.complain(
                .clientRedirectURIs,
                "\(text) is no redirect address: write https://host/path, an app's own scheme with a dot in it, http://127.0.0.1/path or http://localhost:port/path, in lower case and without a fragment"
            )
        }
        providers = settings.list(.clientProviders)
        acceptedAudiences = Self.audiences(&settings)
        demandsSecondFactor = settings.choice(.clientSecondFactor, else: SecondFactor.optional) == .required
        let names = settings.list(.clientSignUpNames) ?? []
        signUpNames = names.compactMap(SignInName.Kind.init(rawValue:))
        for name in names where SignInName.Kind(rawValue: name) == nil {
            settings.complain(.clientSignUpNames, "\(name) is none of: email, phone, user_name")
        }
        let wanted = settings.list(.clientAttributes) ?? []
        attributes = wanted.compactMap(ClientAttribute.init)
        for text in wanted where ClientAttribute(text) == nil {
            settings.complain(
                .clientAttributes,
                "\(text) is no attribute: write name, name:kind (text, number, flag, date) or name:kind!")
        }
        hasCustomChallenge = settings.flag(.clientCustomChallenge)
        for origin in origins where !Self.isOrigin(origin) {
            settings.complain(
                .clientOrigins,
                "\(origin) is no origin: write https://host or https://host:port, in lower case and without port 443")
        }
        guard let id else { return nil }
        self.id = id
        if !ClientID.isValid(id) {
            settings.complain(
                .clientID,
                "must be up to 64 letters, digits, dots, hyphens or underscores, and begin with a letter or digit"
            )
        }
        if kind == .confidential, secret == nil {
            settings.complain(.clientType, "confidential needs CLIENT_SECRET")
        }
        if let secret, secret.revealed.count < 16, secret.revealed.count > 0 {
            settings.complain(.clientSecret, "is too short: at least 16 characters")
        }
    }

    private static func audiences(_ settings: inout SettingsReader) -> [String: [String]] {
        var audiences: [String: [String]] = [:]
        for text in settings.list(.clientAcceptedAudiences) ?? [] {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty {
                audiences[String(parts[0]), default: []].append(String(parts[1]))
            } else {
                settings.complain(.clientAcceptedAudiences, "\(text) is no audience: write provider:audience")
            }
        }
        return audiences
    }

    /// What the table of clients takes.
    private static func isOrigin(_ text: String) -> Bool {
        guard let url = EndpointURL(text) else { return false }
        return url.prefix.isEmpty && url.origin == text && (url.isSecure || url.isLoopback)
    }
}
