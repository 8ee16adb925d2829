import Cryptography
package import FoundationEssentials
import JSON
import Outbound

extension LINEProvider: RedirectSignIn {
    /// LINE sends `auth_time` if `max_age` was requested.
    package var tellsSignInTime: Bool { true }

    package func authorizationURL(_ start: RedirectStart) -> String {
        let age =
            start.isReauthentication ? [("prompt", "login"), ("max_age", "0")] : [("max_age", "31536000")]
        let locales = start.locales.isEmpty ? [] : [("ui_locales", start.locales.joined(separator: " "))]
        return client.authorizationURL(start, more: [("nonce", start.nonce)] + age + locales)
    }

    package func acceptsIssuer(_ issuer: String?) -> Bool {
        client.acceptsIssuer(issuer)
    }

    package func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let upstream = client.upstream
        let deadline = upstream.deadline()
        let bought = try await client.exchange(answer, by: deadline)
        guard let token = bought.idToken, !token.isEmpty else { throw upstream.failure("upstream_malformed") }
        let claims = LINEClaims(
            object: try await verified(token, nonce: answer.nonce, by: deadline), channelID: configuration.channelID)
        let subject = try claims.subject(nonce: answer.nonce, maximumAge: configuration.maximumAge, at: now)
        return ExternalIdentity(
            provider: id, realm: Self.issuer, subject: subject, audiences: [configuration.channelID],
            email: Self.email(in: claims.object), displayName: DisplayName.joined([claims.object["name"]?.string]),
            authenticatedAt: claims.authenticatedAt, issuedAt: claims.issuedAt, nonce: .posted(answer.nonce),
            replayDigest: CodeReplay.digest(of: answer.code), replayEnd: CodeReplay.end(now))
    }

    /// LINE's verified contents of an ID token.
    private func verified(
        _ token: String, nonce: String, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> JSONObject {
        let upstream = client.upstream
        let fields = [("id_token", token), ("client_id", configuration.channelID), ("nonce", nonce)]
        let response = try await upstream.send(
            .form(api + "/verify", fields, headers: [(name: "Accept", value: "application/json")]), by: deadline)
        guard ![400, 401].contains(response.status) else { throw .refused(.upstreamInvalidToken) }
        guard response.status == 200 else { throw upstream.failure("upstream_unavailable") }
        guard let object = Upstream.object(in: response), object["error"] == nil else {
            throw upstream.failure("upstream_malformed")
        }
        return object
    }
}
