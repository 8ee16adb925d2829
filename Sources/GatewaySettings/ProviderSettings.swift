import HTTPServer
import Providers
import Settings

/// The enabled providers and their settings.
///
/// ``ProviderList`` lists all providers. A provider is enabled if its first setting is present. Only then are its other
/// settings read and checked.
package struct ProviderSettings: Sendable {
    /// `NATIVE_NONCE`: `required` refuses provider tokens without our nonce, except from providers that cannot include
    /// one.
    let nonces: NonceDemand
    /// `INSECURE_ALLOW_LOCAL_PROVIDERS`: allows endpoints with plain http and private addresses, for the simulator.
    package let allowsLocalProviders: Bool
    /// `PROVIDER_TIMEOUT_SECONDS`: the time limit for a provider's answer.
    let timeoutSeconds: Int
    /// The enabled providers, in the order of the reference.
    let configured: [ConfiguredProvider]

    /// The ids of the enabled providers, in the order of the reference.
    var ids: [String] { configured.map(\.id.rawValue) }

    /// If a nonce is required, names the providers with tokens that need none.
    var warnings: [String] {
        let exempt = nonces == .required ? configured.filter { !$0.carriesNonces }.map(\.id.rawValue) : []
        guard !exempt.isEmpty else { return [] }
        return [
            "NATIVE_NONCE is required, and doesn't hold for \(exempt.joined(separator: " and ")): "
                + "their tokens are taken without a nonce, once each"
        ]
    }
}

/// Whether a provider token needs our nonce.
enum NonceDemand: String, Sendable, CaseIterable {
    case accepted, required
}

extension ProviderSettings {
    static let keys: [ConfigurationKey] = [.nativeNonce, .allowLocalProviders, .providerTimeout]

    init(_ settings: inout SettingsReader, in environment: DeploymentEnvironment) {
        nonces = settings.choice(.nativeNonce, else: NonceDemand.accepted)
        allowsLocalProviders = settings.flag(.allowLocalProviders)
        timeoutSeconds = settings.number(.providerTimeout, in: 1...60)
        if allowsLocalProviders, environment == .production {
            settings.complain(.allowLocalProviders, "must not be true in production")
        }
        let conditions = ProviderConditions(
            allowsLocal: allowsLocalProviders && environment != .production, requiresNonce: nonces == .required)
        var configured: [ConfiguredProvider] = []
        for kind in ProviderList.all { configured += kind.read(&settings, conditions) }
        self.configured = configured
    }
}

extension ConfigurationKey {
    static let nativeNonce = ConfigurationKey(
        "NATIVE_NONCE", .providers, .choice, default: "accepted",
        "`required` refuses provider tokens without a nonce from `POST /v1/nonce`; `accepted` accepts them, once each. "
            + "Tokens of providers without nonces are accepted either way.")
    static let allowLocalProviders = ConfigurationKey(
        "INSECURE_ALLOW_LOCAL_PROVIDERS", .providers, .flag, default: "false", example: .set("true"),
        "Allows plain http and private addresses in `*_ENDPOINT`, for the provider simulator. Refused in production.")
    static let providerTimeout = ConfigurationKey(
        "PROVIDER_TIMEOUT_SECONDS", .providers, .number, default: "5", "The limit of a provider's answer in seconds.")
}
