package import FoundationEssentials

extension FacebookProvider: RedirectSignIn {
    package func authorizationURL(_ start: RedirectStart) -> String {
        client.authorizationURL(start)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        client.acceptsIssuer(issuer)
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let upstream = client.upstream
        let deadline = upstream.deadline()
        let bought = try await client.exchange(answer, by: deadline)
        let person = try await graph.person(try upstream.bearer(in: bought), by: deadline)
        return ExternalIdentity(
            provider: id, realm: configuration.appID, subject: person.id, audiences: [configuration.appID],
            email: person.email, displayName: person.name, replayDigest: CodeReplay.digest(of: answer.code),
            replayEnd: CodeReplay.end(now))
    }
}
