package import FoundationEssentials

/// A provider that takes back a token which it gave us (RFC 7009).
package protocol RevokesTokens: IdentityProvider {
    /// Whether the settings suffice; where they don't, a token waits until they do.
    var canRevoke: Bool { get }

    /// Gives a token back. It returns also where the token was worth nothing any more.
    ///
    /// - Throws: ``ProviderError``: `refused` for a token that the provider will never take, `unavailable` and
    ///   `misconfigured` where another try may do.
    func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError)
}
