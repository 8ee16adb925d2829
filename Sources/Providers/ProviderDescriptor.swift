package import Settings

/// The declaration of a kind of provider, made once in its own folder.
///
/// ``ProviderList/all`` has one entry for it. Registry, reserved ids, settings, reference, example file, console and
/// pages follow from it.
package struct ProviderDescriptor: Sendable {
    /// Nil for a kind with provider ids from the settings.
    package let id: ProviderID?
    /// The adapter: the conformances of this type declare the kind's capabilities.
    package let type: any IdentityProvider.Type
    /// The path of its documentation, from the root of the package.
    package let page: String
    /// Its settings; the first one enables it.
    package let keys: [ConfigurationKey]
    /// The looks of its buttons; a provider without one gets a plain button.
    package let brands: [ProviderBrand]
    /// Reads the settings and returns the enabled providers of this kind.
    package let read: @Sendable (inout SettingsReader, ProviderConditions) -> [ConfiguredProvider]

    /// The name of the kind, which heads its settings.
    package var name: String { keys[0].group.title }

    /// The setting that enables it.
    package var enablingSetting: String { keys[0].name }

    /// A kind with a single provider.
    init(
        _ id: ProviderID, _ type: any IdentityProvider.Type, page: String, keys: [ConfigurationKey],
        brand: ProviderBrand? = nil,
        read: @escaping @Sendable (inout SettingsReader, ProviderConditions) -> ConfiguredProvider?
    ) {
        (self.id, self.type, self.page, self.keys) = (id, type, page, keys)
        brands = brand.map { [$0] } ?? []
        self.read = { settings, conditions in read(&settings, conditions).map { [$0] } ?? [] }
    }

    /// A kind with as many providers as the settings name.
    init(
        _ type: any IdentityProvider.Type, page: String, keys: [ConfigurationKey], brands: [ProviderBrand],
        read: @escaping @Sendable (inout SettingsReader, ProviderConditions) -> [ConfiguredProvider]
    ) {
        (id, self.type, self.page, self.keys, self.brands) = (nil, type, page, keys, brands)
        self.read = read
    }
}

/// The conditions for all providers of a deployment.
package struct ProviderConditions: Sendable {
    /// Whether endpoints may be plain http and private addresses.
    package let allowsLocal: Bool
    /// Whether posted tokens must carry our nonce.
    package let requiresNonce: Bool

    package init(allowsLocal: Bool, requiresNonce: Bool) {
        (self.allowsLocal, self.requiresNonce) = (allowsLocal, requiresNonce)
    }
}
