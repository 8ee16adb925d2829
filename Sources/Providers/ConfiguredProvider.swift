package import FoundationEssentials

/// An adapter that is built from its configuration and its way to the network.
package protocol ConfigurableProvider: IdentityProvider {
    associatedtype Configuration: Sendable

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem)
}

/// A provider that is on, with its settings read.
package struct ConfiguredProvider: Sendable {
    package let id: ProviderID
    /// Of the adapter's own type.
    package let configuration: any Sendable
    /// What the provider knows us by.
    package let credentials: [ProviderCredential]
    /// Whether the tokens that apps post can carry a nonce of ours.
    package let carriesNonces: Bool
    let build: @Sendable (Upstream) throws(ProviderConfigurationProblem) -> any IdentityProvider

    package init<Provider: ConfigurableProvider>(
        _ id: ProviderID, _ type: Provider.Type, _ configuration: Provider.Configuration,
        credentials: [ProviderCredential] = [], carriesNonces: Bool = true
    ) {
        (self.id, self.configuration, self.credentials) = (id, configuration, credentials)
        self.carriesNonces = carriesNonces
        build = { upstream throws(ProviderConfigurationProblem) in
            try Provider(configuration, upstream: upstream)
        }
    }
}

extension Sequence<ConfiguredProvider> {
    /// The configuration of the first provider of a kind; nil where none is on.
    package func configuration<Provider: ConfigurableProvider>(of type: Provider.Type) -> Provider.Configuration? {
        lazy.compactMap { $0.configuration as? Provider.Configuration }.first
    }
}

/// A secret or key by which a provider knows us.
package struct ProviderCredential: Sendable, Equatable {
    package enum Kind: Sendable {
        case clientSecret
        /// Signs client secrets; it has no end of its own.
        case clientKey
    }

    package let kind: Kind
    /// Its end, where the operator has named one.
    package let expires: Date?
    /// What tells it from others, such as the id of a key.
    package let note: String?

    package init(_ kind: Kind, expires: Date? = nil, note: String? = nil) {
        (self.kind, self.expires, self.note) = (kind, expires, note)
    }
}
