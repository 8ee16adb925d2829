import Cryptography
import Foundation

/// The providers: which are on, and how each is reached and trusted.
///
/// A provider is on when its client ids are set; then its other keys are read and complained about.
struct ProviderSettings: Sendable, Equatable {
    /// `NATIVE_NONCE`: `required` refuses provider tokens without a nonce of ours, save those of ``withoutNonces``.
    ///
    /// Choice, default `accepted`, not secret.
    let nonces: NonceRule
    /// `INSECURE_ALLOW_LOCAL_PROVIDERS`: lets endpoints be plain http and private addresses, for the simulator.
    ///
    /// True or false, default false, refused in production, not secret.
    let allowsLocalProviders: Bool
    /// `PROVIDER_TIMEOUT_SECONDS`: how long a provider may take to answer.
    ///
    /// Seconds, default 5, not secret.
    let timeoutSeconds: Int
    let apple: AppleSettings?
    let amazon: AmazonSettings?
    let microsoft: MicrosoftSettings?
    let cognito: CognitoSettings?
    let github: GitHubSettings?
    let openIDConnect: [OpenIDConnectSettings]

    /// The ids of the providers that are on, in the order of the reference.
    var ids: [String] {
        [
            ("apple", apple != nil), ("amazon", amazon != nil), ("microsoft", microsoft != nil),
            ("cognito", cognito != nil), ("github", github != nil),
        ]
        .filter(\.1).map(\.0) + openIDConnect.map(\.id)
    }

    /// Providers whose tokens carry no nonce of ours.
    ///
    /// Amazon knows none, and a pool's own calls have no way to put one in.
    static let withoutNonces = ["amazon", "cognito"]

    /// What is required of the others is no defence of theirs.
    var warnings: [String] {
        let exempt = nonces == .required ? ids.filter(Self.withoutNonces.contains) : []
        guard !exempt.isEmpty else { return [] }
        return [
            "NATIVE_NONCE is required, and doesn't hold for \(exempt.joined(separator: " and ")): "
                + "their tokens are taken without a nonce, once each"
        ]
    }
}

/// Whether a provider token needs a nonce of ours.
enum NonceRule: String, Sendable, CaseIterable {
    case accepted, required
}

extension ProviderSettings {
    static let keys: [ConfigurationKey] = [.nativeNonce, .allowLocalProviders, .providerTimeout]

    init(_ settings: inout SettingsReader, in environment: DeploymentEnvironment) {
        nonces = settings.choice(.nativeNonce, else: NonceRule.accepted)
        allowsLocalProviders = settings.flag(.allowLocalProviders)
        timeoutSeconds = settings.number(.providerTimeout, in: 1...60)
        if allowsLocalProviders, environment == .production {
            settings.complain(.allowLocalProviders, "must not be true in production")
        }
        let local = allowsLocalProviders && environment != .production
        apple = AppleSettings(&settings, local: local)
        amazon = AmazonSettings(&settings, local: local)
        microsoft = MicrosoftSettings(&settings, local: local)
        cognito = CognitoSettings(&settings, local: local)
        github = GitHubSettings(&settings, local: local)
        openIDConnect = OpenIDConnectSettings.all(&settings, local: local)
    }
}

extension SettingsReader {
    /// A place that is called in place of a provider's own; private ones only where `local` says so (A-09).
    mutating func endpoint(_ key: ConfigurationKey, local: Bool) -> String? {
        guard let text = text(key) else { return nil }
        guard let url = EndpointURL(text) else {
            complain(key, "must be https://host with at most a path after it")
            return nil
        }
        if !local, !url.isSecure || url.isLocal {
            complain(
                key, "must be https and a public host; INSECURE_ALLOW_LOCAL_PROVIDERS=true lifts this for development")
        }
        return url.text
    }

    /// A GUID in lower case.
    mutating func identifier(_ key: ConfigurationKey) -> String? {
        guard let text = text(key) else { return nil }
        guard Self.isGUID(text) else {
            complain(key, "must be a GUID, such as 01234567-89ab-cdef-0123-456789abcdef")
            return nil
        }
        return text.lowercased()
    }

    /// A list of GUIDs in lower case.
    mutating func identifiers(_ key: ConfigurationKey) -> [String]? {
        guard let entries = list(key) else { return nil }
        guard entries.allSatisfy(Self.isGUID) else {
            complain(key, "must be GUIDs, such as 01234567-89ab-cdef-0123-456789abcdef")
            return nil
        }
        return entries.map { $0.lowercased() }
    }

    /// A day in UTC, as its first moment.
    mutating func day(_ key: ConfigurationKey) -> Date? {
        guard let text = text(key) else { return nil }
        let midnight = text + "T00:00:00Z"
        guard let date = try? Date(midnight, strategy: .iso8601), RFC3339.text(date) == midnight else {
            complain(key, "must be a date such as 2026-12-31")
            return nil
        }
        return date
    }

    /// The day on which a secret ends.
    mutating func end(_ key: ConfigurationKey, of secret: Secret?, _ secretKey: ConfigurationKey) -> Date? {
        let date = day(key)
        if date != nil, secret == nil { complain(key, "needs \(secretKey.name)") }
        return date
    }

    private static func isGUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.utf8.allSatisfy { byte in "0123456789abcdefABCDEF".utf8.contains(byte) } }
    }
}

extension ConfigurationKey {
    static let nativeNonce = ConfigurationKey(
        "NATIVE_NONCE", .providers, .choice, default: "accepted",
        "`required` refuses tokens of Apple, Microsoft and OpenID Connect without a nonce from `POST /v1/nonce`; "
            + "`accepted` takes them, once each. Amazon's and Cognito's are taken either way.")
    static let allowLocalProviders = ConfigurationKey(
        "INSECURE_ALLOW_LOCAL_PROVIDERS", .providers, .flag, default: "false",
        "Lets `*_ENDPOINT` be plain http and private addresses, for the provider simulator. Refused in production.")
    static let providerTimeout = ConfigurationKey(
        "PROVIDER_TIMEOUT_SECONDS", .providers, .number, default: "5", "Seconds a provider may take to answer.")
}
