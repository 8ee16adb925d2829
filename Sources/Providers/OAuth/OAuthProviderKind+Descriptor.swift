import Cryptography
import Settings

/// The settings of a provider of plain OAuth 2.0.
struct OAuthKeys: Sendable {
    /// Enables the provider.
    let clientID: ConfigurationKey
    /// The required secret, which does not expire at these providers.
    let clientSecret: ConfigurationKey
    let endpoint: ConfigurationKey
    /// Nil if the provider verifies no address.
    var trustEmail: ConfigurationKey?

    var all: [ConfigurationKey] {
        [clientID, clientSecret, endpoint] + [trustEmail].compactMap(\.self)
    }
}

extension OAuthProviderKind {
    /// The kind's entry in ``ProviderList/all``.
    var descriptor: ProviderDescriptor {
        ProviderDescriptor(id, OAuthProvider.self, page: documentation, keys: keys.all, brand: brand) {
            settings, conditions in
            let clientID = settings.text(keys.clientID)
            let endpoint = settings.endpoint(keys.endpoint, local: conditions.allowsLocal)
            let trustsEmail = keys.trustEmail.map { settings.flag($0) } ?? false
            guard let clientID else { return nil }
            var configuration = OAuthProvider.Configuration(
                self, clientID: clientID, clientSecret: Secret(settings.required(keys.clientSecret)))
            (configuration.endpoint, configuration.trustsEmail) = (endpoint, trustsEmail)
            return ConfiguredProvider(id, OAuthProvider.self, configuration)
        }
    }

    /// Checks the settings, and returns the addresses that they lead to.
    func addresses(
        of configuration: OAuthProvider.Configuration
    ) throws(ProviderConfigurationProblem) -> OAuthAddresses {
        guard !configuration.clientID.isEmpty else {
            throw ProviderConfigurationProblem(setting: keys.clientID.name, reason: "empty")
        }
        guard !configuration.clientSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: keys.clientSecret.name, reason: "empty")
        }
        guard let endpoint = configuration.endpoint else { return addresses(nil) }
        return addresses(try Endpoint.url(endpoint, setting: keys.endpoint.name))
    }
}
