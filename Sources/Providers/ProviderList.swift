/// The kinds of providers.
package enum ProviderList {
    /// All providers, one line each, in the order of the documentation.
    package static let all: [ProviderDescriptor] = [
        AppleProvider.descriptor,
        AmazonProvider.descriptor,
        MicrosoftProvider.descriptor,
        CognitoProvider.descriptor,
        GitHubProvider.kind.descriptor,
        FacebookProvider.descriptor,
        LINEProvider.descriptor,
        DiscordProvider.kind.descriptor,
        XProvider.kind.descriptor,
        OpenIDConnectProvider.descriptor,
    ]

    /// Words with another meaning in the place of a provider name.
    private static let otherWords: Set<String> = ["guest", "password", "email_otp", "sms_otp", "passkey", "providers"]

    /// Ids that no provider of the settings may have.
    static let reservedIDs = otherWords.union(all.compactMap { $0.id?.rawValue })

    /// The looks of buttons, by provider id.
    package static let brands: [String: ProviderBrand] = Dictionary(
        all.flatMap(\.brands).map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// The kinds with a single provider that can check a name and a password, by id.
    package static let takesPasswords: [String: ProviderDescriptor] = Dictionary(
        all.filter { $0.type is any StepwiseSignIn.Type }.compactMap { kind in kind.id.map { ($0.rawValue, kind) } },
        uniquingKeysWith: { first, _ in first })
}
