import Cryptography
package import FoundationEssentials
import JSON

extension MicrosoftProvider: RedirectSignIn {
    /// `profile` adds `oid` to the token.
    package func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String {
        let prompt = start.isReauthentication ? [("prompt", "login")] : []
        return AuthorizationRequest(
            endpoint: try await webTenant.metadata.authorizationURL(), clientID: configuration.clientIDs[0],
            scope: "openid profile email", more: [("response_mode", "query"), ("nonce", start.nonce)] + prompt
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) async throws(ProviderError) -> Bool {
        try await webTenant.metadata.accepts(issuer)
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let code = try answer.checkedCode()
        let deadline = upstream.deadline()
        guard let url = try await webTenant.metadata.current().tokenURL else {
            throw .misconfigured(reason: "token_endpoint_missing")
        }
        // The user must act at Microsoft, where another attempt leads.
        let endpoint = TokenEndpoint(url: url, upstream: upstream, exceptions: ["interaction_required": .code])
        let bought = try await endpoint.exchange(
            code: code, clientID: configuration.clientIDs[0],
            client: configuration.clientSecret.map { .secretInForm($0) } ?? .none, redirectURI: answer.redirectURI,
            codeVerifier: answer.codeVerifier, by: deadline)
        let token = try await verified(bought, from: endpoint, nonce: answer.nonce, at: now)
        return try identity(
            from: token, of: webTenant, digest: CodeReplay.digest(of: code), end: CodeReplay.end(now))
    }

    /// Checks a redirect's token like a posted one, but accepts only the redirect's own tenant.
    private func verified(
        _ bought: TokenEndpoint.Answer, from endpoint: TokenEndpoint, nonce: String, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims {
        let jwt = try endpoint.idToken(in: bought)
        guard let tenant = jwt.claims["tid"]?.string, tenant.hasSameBytes(as: webTenant.id) else {
            throw .refused(.tenantNotAllowed)
        }
        guard !Self.isAccessToken(jwt.claims) else { throw .refused(.wrongTokenType) }
        return try await webTenant.verifier.verify(
            jwt, boughtWith: bought, by: configuration.clientIDs[0], nonce: nonce, at: now)
    }
}
