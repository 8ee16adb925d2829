package import FoundationEssentials

/// An adapter that is built from its configuration and an upstream.
package protocol ConfigurableProvider: IdentityProvider {
    associatedtype Configuration: Sendable

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem)
}

/// An enabled provider with its settings.
package struct ConfiguredProvider: Sendable {
    package let id: ProviderID
    /// The configuration in the adapter's own type.
    package let configuration: any Sendable
    /// Our secrets and keys at the provider.
    package let credentials: [ProviderCredential]
    /// Whether posted tokens can carry our nonce.
    package let carriesNonces: Bool
    /// Warnings about a production deployment with these settings.
    package let productionWarnings: [String]
    let build: @Sendable (Upstream) throws(ProviderConfigurationProblem) -> any IdentityProvider

    package init<Provider: ConfigurableProvider>(
        _ id: ProviderID, _ type: Provider.Type, _ configuration: Provider.Configuration,
        credentials: [ProviderCredential] = [], carriesNonces: Bool = true, productionWarnings: [String] = []
    ) {
        (self.id, self.configuration, self.credentials) = (id, configuration, credentials)
        (self.carriesNonces, self.productionWarnings) = (carriesNonces, productionWarnings)
        build = { upstream throws(ProviderConfigurationProblem) in
            try Provider(configuration, upstream: upstream)
        }
    }
}

extension Sequence<ConfiguredProvider> {
    /// The configuration of the first provider of a kind; nil if none is enabled.
    package func configuration<Provider: ConfigurableProvider>(of type: Provider.Type) -> Provider.Configuration? {
        lazy.compactMap { $0.configuration as? Provider.Configuration }.first
    }
}

/// A secret or key that authenticates us to a provider.
package struct ProviderCredential: Sendable, Equatable {
    package enum Kind: Sendable {
        case clientSecret
        /// Signs client secrets; it never expires by itself.
        case clientKey
    }

    package let kind: Kind
    /// Its expiry, if the operator configured one.
    package let expires: Date?
    /// A distinguishing note, such as the id of a key.
    package let note: String?

    package init(_ kind: Kind, expires: Date? = nil, note: String? = nil) {
        (self.kind, self.expires, self.note) = (kind, expires, note)
    }
}
