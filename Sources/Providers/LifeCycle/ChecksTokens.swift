package import FoundationEssentials

/// What a provider says of a token that it gave us.
package enum TokenStanding: String, Sendable {
    case good
    /// The person took back their consent, or the provider ended it.
    case dead
    /// Probably ended by the person, perhaps our own mistake: the provider's word for both is the same.
    case doubtful
}

/// A provider that can be asked whether a stored token still holds.
package protocol ChecksTokens: IdentityProvider {
    /// Whether that is configured, and wanted.
    var canCheck: Bool { get }

    /// Where the identities are whose tokens it can speak for.
    var checkedRealm: String { get }

    /// - Throws: ``ProviderError`` where nobody can tell now.
    func standing(of token: UpstreamToken, at now: Date) async throws(ProviderError) -> TokenStanding
}
