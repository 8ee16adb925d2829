package import FoundationEssentials

extension OpenIDConnectProvider: RedirectSignIn {
    /// An issuer that follows OpenID Connect Core §3.1.2.1 sends `auth_time` if `max_age` was requested; Google does
    /// not.
    package var tellsSignInTime: Bool { !isGoogle }

    package func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String {
        let locales = start.locales.isEmpty ? [] : [("ui_locales", start.locales.joined(separator: " "))]
        return AuthorizationRequest(
            endpoint: try await metadata.authorizationURL(), clientID: configuration.clientIDs[0],
            scope: "openid email profile", more: [("nonce", start.nonce)] + age(start) + locales
        ).url(start)
    }

    /// Requests `auth_time` by an age that excludes no user.
    ///
    /// Without `max_age` most issuers omit `auth_time`, and a silent answer would count as a recent proof.
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
