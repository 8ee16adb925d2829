import Cryptography
package import FoundationEssentials

extension OpenIDConnectProvider: RevokesTokens {
    /// Only the discovery document reveals whether an endpoint exists.
    package var canRevoke: Bool { true }

    /// Counts an issuer without a revocation endpoint as a final answer, because it can revoke nothing.
    package func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError) {
        let found = try await metadata.current()
        guard let url = found.revocationURL else { throw .refused(.upstreamInvalidToken) }
        try await RevocationEndpoint(url: url, upstream: upstream).revoke(token, as: client(found))
    }
}
