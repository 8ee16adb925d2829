import Clients
import Cryptography
import Settings
import Vocabulary

/// The first app; the start adds it to the database if it is missing.
///
/// Only the database contains later apps.
package struct FirstClientConfiguration: Sendable, Equatable {
    /// `CLIENT_ID`: the `client_id` of the app.
    ///
    /// Text, no default (no first app), not secret.
    package let id: String
    /// `CLIENT_NAME`: the app's name on pages and in mails.
    ///
    /// Text, default the id, not secret.
    let name: String
    /// `CLIENT_TYPE`: whether the app can keep a secret.
    ///
    /// Choice, default `public`, not secret.
    let kind: Client.Kind
    /// `CLIENT_SECRET`: a confidential client's secret; a public client's back end uses it for introspection.
    ///
    /// Text, no default, secret.
    let secret: Secret?
    /// `CLIENT_ORIGINS`: the web origins that may call us from a browser.
    ///
    /// List, default none, not secret.
    let origins: [String]
    /// `CLIENT_REDIRECT_URIS`: the allowed addresses for a browser after a sign-in.
    ///
    /// List, default none, not secret.
    let redirectURIs: [RedirectURI]
    /// `CLIENT_PROVIDERS`: the providers the app may use.
    ///
    /// List, default all that are configured at the first start (`nil`), not secret.
    let providers: [String]?
    /// `CLIENT_ACCEPTED_AUDIENCES`: the accepted audiences of providers' tokens, by provider.
    ///
    /// List, default all, not secret.
    let acceptedAudiences: [String: [String]]
    /// `CLIENT_SECOND_FACTOR`: whether every sign-in to the app needs two factors.
    ///
    /// Choice, default `optional`, not secret.
    let demandsSecondFactor: Bool
    /// `CLIENT_SIGN_UP_NAMES`: the kinds of names for sign-up.
    ///
    /// List, default `email`, not secret.
    let signUpNames: [SignInName.Kind]
    /// `CLIENT_ATTRIBUTES`: the attributes that the sign-up asks for.
    ///
    /// List, default none, not secret.
    let attributes: [ClientAttribute]
    /// `CLIENT_GUESTS`: whether a sign-in without a credential makes an account.
    ///
    /// True or false, default false, not secret.
    let allowsGuests: Bool
    /// `CLIENT_CUSTOM_CHALLENGE`: whether the custom challenge may be a second factor for the app's users.
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
        .clientSecondFactor, .clientSignUpNames, .clientAttributes, .clientGuests, .clientCustomChallenge,
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
                "\(text) is no attribute: write name:kind:writer, with kind text, number, flag or date, and writer user, back_end or both; claims such as email are reserved"
            )
        }
        allowsGuests = settings.flag(.clientGuests)
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

    /// The form of an origin that the table of clients accepts.
    private static func isOrigin(_ text: String) -> Bool {
        guard let url = EndpointURL(text) else { return false }
        return url.prefix.isEmpty && url.origin == text && (url.isSecure || url.isLoopback)
    }
}
