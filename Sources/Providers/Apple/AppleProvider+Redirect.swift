import Cryptography
package import FoundationEssentials
import JSON

extension AppleProvider: RedirectSignIn {
    package var canRedirect: Bool { web != nil }

    /// Apple requires it as soon as a scope is requested.
    package var redirectAnswer: RedirectAnswerMode { .formPost }

    package func authorizationURL(_ start: RedirectStart) throws(ProviderError) -> String {
        let web = try webClient()
        return AuthorizationRequest(
            endpoint: web.authorizationEndpoint, clientID: web.id, scope: "name email", responseType: "code id_token",
            more: [("response_mode", "form_post"), ("nonce", start.nonce)]
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        issuer?.hasSameBytes(as: Self.issuer) ?? true
    }

    package func isCancellation(_ error: String) -> Bool {
        ["user_cancelled_authorize", "access_denied"].contains { $0.hasSameBytes(as: error) }
    }

    /// Takes the identity from the exchanged token; a token from the browser must name the same user.
    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let web = try webClient()
        let code = try answer.checkedCode()
        let posted = try await posted(answer, to: web, at: now)
        let bought = try await web.exchange.exchange(code, of: answer, as: web.id, at: now)
        let token = try await web.verifier.verify(
            try web.exchange.endpoint.idToken(in: bought), boughtWith: bought, by: web.id, nonce: answer.nonce, at: now)
        // Issuer, audience and nonce of both belong to this request, so only the user could differ.
        if let posted, !posted.subject.hasSameBytes(as: token.subject) {
            health.note(.subjectMismatch)
            throw .refused(.codeTokenMismatch)
        }
        var identity = ExternalIdentity(
            provider: id, realm: configuration.teamID, subject: token.subject, audiences: token.audiences,
            email: email(in: token.claims), displayName: AppleWebClient.name(in: answer.user),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt,
            nonce: token.nonce, replayDigest: CodeReplay.digest(of: code), replayEnd: CodeReplay.end(now),
            upstreamTokens: AppleCodeExchange.kept(bought, of: web.id))
        identity.former = former(in: token.claims, at: now)
        return identity
    }

    /// Checks the token from the browser before its code causes a request.
    private func posted(
        _ answer: RedirectAnswer, to web: AppleWebClient, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims? {
        guard let text = answer.idToken else { return nil }
        let jwt = try IDTokenVerifier.parse(
            CredentialReader(["id_token": .string(text)], of: "id_token"), member: "id_token", maximumLength: 8_192)
        let token = try await web.verifier.verify(jwt, nonce: answer.nonce, at: now)
        try checkCodeHash(of: answer.code, in: token, isEnforced: true)
        return token
    }

    private func webClient() throws(ProviderError) -> AppleWebClient {
        guard let web else { throw .misconfigured(reason: "redirect_not_configured") }
        return web
    }
}
