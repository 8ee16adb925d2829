import Cryptography
package import FoundationEssentials
import JSON

extension XProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    /// The authorization page of X, which cannot demand a new sign-in.
    ///
    /// `users/me` needs `tweet.read` too.
    package func authorizationURL(_ start: RedirectStart) -> String {
        AuthorizationRequest(endpoint: page, clientID: configuration.clientID, scope: "users.read tweet.read")
            .url(start)
    }

    /// X sends no issuer with a code, so a given issuer belongs to another provider.
    package func acceptsIssuer(_ issuer: String?) -> Bool { issuer == nil }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let code = try answer.checkedCode()
        let upstream = endpoint.upstream
        let deadline = upstream.deadline()
        let bought = try await endpoint.exchange(
            code: code, clientID: configuration.clientID, client: .basic(configuration.clientSecret),
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: deadline)
        let found = try await upstream.object(at: person, for: try upstream.bearer(in: bought), by: deadline)
        // Errors may come with status 200, and then without data.
        guard let user = found["data"]?.object else { throw upstream.failure("upstream_malformed") }
        guard let subject = user["id"]?.string, Subject.isDecimal(subject) else { throw .refused(.subjectInvalid) }
        return ExternalIdentity(
            provider: id, realm: Self.realm, subject: subject, audiences: [configuration.clientID],
            displayName: DisplayName.joined([user["name"]?.string]), replayDigest: CodeReplay.digest(of: code),
            replayEnd: CodeReplay.end(now))
    }
}
