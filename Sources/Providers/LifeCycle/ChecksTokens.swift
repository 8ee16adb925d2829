package import FoundationEssentials

/// A provider's verdict on a token that it gave us.
package enum TokenStanding: String, Sendable {
    case good
    /// The user withdrew the consent, or the provider ended it.
    case dead
    /// Probably ended by the user, perhaps our own mistake: the provider uses the same word for both.
    case doubtful
}

/// A provider that can check whether a stored token is still valid.
package protocol ChecksTokens: IdentityProvider {
    /// Whether checks are configured and enabled.
    var canCheck: Bool { get }

    /// The realm of the identities with checkable tokens.
    var checkedRealm: String { get }

    /// - Throws: ``ProviderError`` where the standing is unknown at present.
    func standing(of token: UpstreamToken, at now: Date) async throws(ProviderError) -> TokenStanding
}
