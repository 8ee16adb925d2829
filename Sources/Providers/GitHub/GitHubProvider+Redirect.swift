import Cryptography
package import FoundationEssentials
import JSON

extension GitHubProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    private var authorizationEndpoint: String { oauthBase + "/authorize" }

    package func authorizationURL(_ start: RedirectStart) -> String {
        // GitHub has no other way to force a page, and reports no sign-in time.
        let prompt = start.isReauthentication ? [("prompt", "select_account")] : []
        return AuthorizationRequest(
            endpoint: authorizationEndpoint, clientID: configuration.clientID, scope: "user:email",
            responseType: nil, more: prompt
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        issuer?.hasSameBytes(as: oauthBase) ?? true
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let code = try answer.checkedCode()
        let deadline = endpoint.upstream.deadline()
        let bought = try await endpoint.exchange(
            code: code, clientID: configuration.clientID, client: .secretInForm(configuration.clientSecret),
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: deadline)
        guard let token = bought.accessToken?.revealedText, GitHubAccess.isAccessToken(token) else {
            throw endpoint.upstream.failure("upstream_malformed")
        }
        let person = try await access.person(token, by: deadline)
        let address = try await access.address(token, by: deadline)
        return ExternalIdentity(
            provider: id, realm: realm, subject: person.subject, audiences: [configuration.clientID],
            email: address.flatMap(email),
            displayName: DisplayName.joined([person.name]), replayDigest: CodeReplay.digest(of: code),
            replayEnd: CodeReplay.end(now))
    }
}
