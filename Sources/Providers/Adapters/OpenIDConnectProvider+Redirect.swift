package import FoundationEssentials

extension OpenIDConnectProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    package func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String {
        let locales = start.locales.isEmpty ? [] : [("ui_locales", start.locales.joined(separator: " "))]
        return AuthorizationRequest(
            endpoint: try await metadata.authorizationURL(), clientID: configuration.clientIDs[0],
            scope: "openid email profile", more: [("nonce", start.nonce)] + locales
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) async throws(ProviderError) -> Bool {
        try await metadata.accepts(issuer)
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        try await identity(
            for: try answer.checkedCode(), redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier,
            nonce: answer.nonce, at: now)
    }
}
