import Cryptography
package import FoundationEssentials
import JSON

extension FacebookProvider: RedirectSignIn {
    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    package func authorizationURL(_ start: RedirectStart) -> String {
        let again = start.isReauthentication ? [("auth_type", "reauthenticate")] : []
        return AuthorizationRequest(
            endpoint: page, clientID: configuration.appID, scope: "public_profile email", more: again
        ).url(start)
    }

    /// Facebook sends no issuer with a code, so a given issuer belongs to another provider.
    package func acceptsIssuer(_ issuer: String?) -> Bool { issuer == nil }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let code = try answer.checkedCode()
        let deadline = endpoint.upstream.deadline()
        let bought = try await endpoint.exchange(
            code: code, clientID: configuration.appID, client: .secretInForm(configuration.appSecret),
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: deadline)
        let person = try await graph.person(try endpoint.upstream.bearer(in: bought), by: deadline)
        return ExternalIdentity(
            provider: id, realm: configuration.appID, subject: person.id, audiences: [configuration.appID],
            email: person.email, displayName: person.name, replayDigest: CodeReplay.digest(of: code),
            replayEnd: CodeReplay.end(now))
    }
}
