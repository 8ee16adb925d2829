package import Settings

/// What the gateway knows of a kind of provider, declared once in the folder of that kind.
///
/// ``ProviderList/all`` has one line for it. Registry, reserved ids, settings, reference, example file, console and
/// pages follow from it.
package struct ProviderDescriptor: Sendable {
    /// Nil for the kind whose providers get their ids from the settings.
    package let id: ProviderID?
    /// The adapter: what the kind can do is what this type conforms to.
    package let type: any IdentityProvider.Type
    /// Its documentation, from the root of the package.
    package let page: String
    /// Its settings; the first one turns it on.
    package let keys: [ConfigurationKey]
    /// The looks of its buttons; a provider without one gets a plain button.
    package let brands: [ProviderBrand]
    /// Reads the settings: the providers of this kind that are on.
    package let read: @Sendable (inout SettingsReader, ProviderConditions) -> [ConfiguredProvider]

    /// What people call it: the heading of its settings.
    package var name: String { keys[0].group.title }

    /// A kind of which there is one provider.
    init(
        _ id: ProviderID, _ type: any IdentityProvider.Type, page: String, keys: [ConfigurationKey],
        brand: ProviderBrand? = nil,
        read: @escaping @Sendable (inout SettingsReader, ProviderConditions) -> ConfiguredProvider?
    ) {
        (self.id, self.type, self.page, self.keys) = (id, type, page, keys)
        brands = brand.map { [$0] } ?? []
        self.read = { settings, conditions in read(&settings, conditions).map { [$0] } ?? [] }
    }

    /// A kind of which there are as many providers as the settings name.
    init(
        _ type: any IdentityProvider.Type, page: String, keys: [ConfigurationKey], brands: [ProviderBrand],
        read: @escaping @Sendable (inout SettingsReader, ProviderConditions) -> [ConfiguredProvider]
    ) {
        (id, self.type, self.page, self.keys, self.brands) = (nil, type, page, keys, brands)
        self.read = read
    }
}

/// What holds for all providers of a deployment.
package struct ProviderConditions: Sendable {
    /// Whether endpoints may be plain http and private addresses.
    package let allowsLocal: Bool
    /// Whether tokens that apps post must carry a nonce of ours.
    package let requiresNonce: Bool

    package init(allowsLocal: Bool, requiresNonce: Bool) {
        (self.allowsLocal, self.requiresNonce) = (allowsLocal, requiresNonce)
    }
}
