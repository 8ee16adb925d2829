import Cryptography
package import FoundationEssentials
import JSON

extension DiscordProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    package func authorizationURL(_ start: RedirectStart) -> String {
        // Discord can show its page again, but it cannot demand a new sign-in and reports no time of one.
        let prompt = start.isReauthentication ? [("prompt", "consent")] : []
        return AuthorizationRequest(
            endpoint: base + "/oauth2/authorize", clientID: configuration.clientID, scope: "identify email",
            more: prompt
        ).url(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        issuer?.hasSameBytes(as: Self.issuer) ?? true
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let code = try answer.checkedCode()
        let upstream = endpoint.upstream
        let deadline = upstream.deadline()
        let bought = try await endpoint.exchange(
            code: code, clientID: configuration.clientID, client: .secretInForm(configuration.clientSecret),
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: deadline)
        let user = try await upstream.object(
            at: base + "/api/v10/users/@me", for: try upstream.bearer(in: bought), by: deadline)
        guard let subject = user["id"]?.string, Subject.isDecimal(subject) else { throw .refused(.subjectInvalid) }
        return ExternalIdentity(
            provider: id, realm: Self.issuer, subject: subject, audiences: [configuration.clientID],
            email: email(in: user), displayName: DisplayName.joined([user["global_name"]?.string]),
            replayDigest: CodeReplay.digest(of: code), replayEnd: CodeReplay.end(now))
    }
}
