package import FoundationEssentials

extension OpenIDConnectProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    /// An issuer that keeps to OpenID Connect Core §3.1.2.1 tells `auth_time` where `max_age` was asked; Google does not.
    package var tellsSignInTime: Bool { !isGoogle }

    package func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String {
        let locales = start.locales.isEmpty ? [] : [("ui_locales", start.locales.joined(separator: " "))]
        return AuthorizationRequest(
            endpoint: try await metadata.authorizationURL(), clientID: configuration.clientIDs[0],
            scope: "openid email profile", more: [("nonce", start.nonce)] + age(start) + locales
        ).url(start)
    }

    /// Without `max_age` most issuers leave `auth_time` out, and a silent answer would count as a fresh proof: so a usual
    /// sign-in names an age that shuts nobody out.
    private func age(_ start: RedirectStart) -> [(String, String)] {
        switch (start.isReauthentication, isGoogle) {
        case (true, true): [("prompt", "select_account")]
        case (true, false): [("prompt", "login"), ("max_age", "0")]
        case (false, true): []
        case (false, false): [("max_age", "31536000")]
        }
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
