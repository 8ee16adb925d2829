package import FoundationEssentials
import JSON

extension AmazonProvider: RedirectSignIn {
    /// A website client has a secret; without one the first client is an app.
    package var canRedirect: Bool { configuration.clientSecret != nil }

    package func authorizationURL(_ start: RedirectStart) throws(ProviderError) -> String {
        try checkSecret()
        return AuthorizationRequest(
            endpoint: authorizationEndpoint, clientID: configuration.clientIDs[0],
            scope: configuration.scopes.map(\.rawValue).joined(separator: " ")
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        guard let issuer else { return true }
        return configuration.issuers.contains { $0.hasSameBytes(as: issuer) }
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        try checkSecret()
        return try await identity(
            for: try answer.checkedCode(), of: configuration.clientIDs[0], redirectURI: answer.redirectURI,
            codeVerifier: answer.codeVerifier, at: now)
    }

    private func checkSecret() throws(ProviderError) {
        guard canRedirect else { throw .misconfigured(reason: "client_secret_missing") }
    }
}
