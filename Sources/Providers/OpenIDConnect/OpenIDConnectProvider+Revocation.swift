import Cryptography
package import FoundationEssentials

extension OpenIDConnectProvider: RevokesTokens {
    /// Whether there is an endpoint is known only once the discovery document has been read.
    package var canRevoke: Bool { true }

    /// An issuer that announces no revocation endpoint takes nothing back: that is an answer, and a last one.
    package func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError) {
        let found = try await metadata.current()
        guard let url = found.revocationURL else { throw .refused(.upstreamInvalidToken) }
        try await RevocationEndpoint(url: url, upstream: upstream).revoke(token, as: client(found))
    }
}
