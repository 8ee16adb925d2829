import Cryptography
import JSON
import Outbound

/// An OAuth 2.0 revocation endpoint (RFC 7009 §2).
struct RevocationEndpoint: Sendable {
    let url: String
    let upstream: Upstream

    /// Revokes a token; 200 is also the answer for an unknown or expired one.
    ///
    /// - Throws: `refused` for a token that the endpoint will never accept, `misconfigured` if it refuses the client,
    ///   `unavailable` for every failure of the provider.
    func revoke(_ token: UpstreamToken, as client: TokenEndpoint.Client) async throws(ProviderError) {
        let (fields, headers) = client.proof(of: token.clientID)
        let request = HTTPRequest.form(
            url, [("token", token.token.revealedText), ("token_type_hint", "refresh_token")] + fields, headers: headers)
        let response = try await upstream.send(request, by: upstream.deadline())
        guard response.status != 200 else { return }
        guard let word = Upstream.object(in: response)?["error"]?.string else {
            throw upstream.failure("upstream_malformed")
        }
        if ["invalid_grant", "unsupported_token_type"].contains(word) { throw .refused(.upstreamInvalidToken) }
        let reason = word.hasSameBytes(as: "invalid_client") ? "client_secret_rejected" : "revocation_rejected"
        upstream.health.failed(reason)
        throw .misconfigured(reason: reason)
    }
}
