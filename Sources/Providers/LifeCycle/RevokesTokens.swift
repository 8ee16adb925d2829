package import FoundationEssentials

/// A provider that revokes its own tokens (RFC 7009).
package protocol RevokesTokens: IdentityProvider {
    /// Whether the settings suffice; until they do, a token waits.
    var canRevoke: Bool { get }

    /// Revokes a token, and succeeds also for a token that is no longer valid.
    ///
    /// - Throws: ``ProviderError``: `refused` for a token that the provider will never accept. `unavailable` and
    ///   `misconfigured` allow another attempt.
    func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError)
}
