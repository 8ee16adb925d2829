package import Clients
import Cryptography
import Foundation
import JSON
import Providers
package import Vocabulary

/// Assertions about a user for the authorization server of another company, which trusts this gateway as its identity provider
/// (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant §4.3).
extension TokenExchanger {
    package static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    package static let assertionType = "urn:ietf:params:oauth:token-type:id-jag"
    /// In seconds.
    private static let assertionLife = 300

    /// - Parameters:
    ///   - idToken: the client's ID token of the user.
    ///   - audience: the issuer of the other server.
    ///   - resource: the identifier of an API there.
    /// - Throws: `subjectTokenInvalid` for an ID token of another client, or of a session that is over, `targetInvalid`,
    ///   `scopeInvalid`.
    package func assertion(
        about idToken: String, for audience: String, at resource: String?, scope: String?, by client: Client,
        caller: Caller
    ) async throws(Rejection) -> Issued {
        let now = directory.now
        guard let token = issuer.liveIDToken(idToken, at: now), token.client == client.publicID,
            let session = try await directory.live(token.session, at: now), session.facts.clientID == client.id,
            // An assertion can't say that an operator acts for the user.
            session.facts.subject == token.subject, session.facts.actor == nil
        else { throw .subjectTokenInvalid }
        guard let place = client.openID.assertionAudiences.first(where: { $0.issuer.hasSameBytes(as: audience) }),
            resource.map({ asked in place.resources.contains { $0.hasSameBytes(as: asked) } }) ?? true
        else { throw .targetInvalid(SentText(resource ?? audience)) }
        let scopes = try place.scopes(scope)
        try await rejecting(logger) { try await keyStore.ready(.rs256, in: issuer.keys) }
        let detail: JSON = [
            "audience": .string(place.issuer), "asserted_client": .string(place.clientID),
            "resource": resource.map(JSON.string) ?? .null, "scopes": .array(scopes.map(JSON.string)),
        ]
        try await record(session.facts, client, detail, caller)
        guard
            let text = try? issuer.assertion(
                about: session, for: place, at: resource, scopes, boundTo: caller.key, now: now,
                life: Self.assertionLife)
        else { throw .internalError }
        // It is no access token, so it has no type of one (RFC 8693 §2.2.1).
        return Issued(accessToken: text, life: Self.assertionLife, scopes: scopes, tokenType: "N_A")
    }
}

extension AssertionAudience {
    /// The asked scopes, or all that the app may have there.
    fileprivate func scopes(_ asked: String?) throws(Rejection) -> [String] {
        guard let asked else { return scopes }
        let wanted = Set(asked.words)
        try Rejection.requireScopes(wanted, among: Set(scopes))
        return wanted.sorted()
    }
}

extension TokenIssuer {
    /// An ID token of ours that has not expired; nil for every other text.
    fileprivate func liveIDToken(_ text: String, at now: Date) -> IDTokenHint? {
        guard let token = hint(text, at: now), token.expires > now else { return nil }
        return token
    }

    /// RS256, because every party of OpenID Connect verifies it (OpenID Connect Core §15.1).
    fileprivate func assertion(
        about session: SessionSnapshot, for place: AssertionAudience, at resource: String?, _ scopes: [String],
        boundTo key: String?, now: Date, life: Int
    ) throws -> String {
        let (facts, issued) = (session.facts, Int(now.timeIntervalSince1970))
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(facts.subject), "aud": .string(place.issuer),
            "client_id": .string(place.clientID), "jti": .string(Base64URL.encode(RandomBytes.system(16))),
            "iat": .integer(issued), "exp": .integer(issued + life),
            "auth_time": .integer(Int(facts.authTime.timeIntervalSince1970)), "acr": .string(facts.acr),
            "amr": .array(facts.amr.map(JSON.string)),
        ]
        claims["resource"] = resource.map(JSON.string)
        if !scopes.isEmpty { claims["scope"] = .string(scopes.joined(separator: " ")) }
        // The user let the app have it.
        if session.scopes.contains(.email), session.account.emailVerified {
            claims["email"] = session.account.email.map(JSON.string)
        }
        claims["cnf"] = AccessTokenFacts.confirmation(of: key)
        return try keys.signer(.rs256, at: now).typed(IdentityAssertion.type).sign(.object(claims))
    }
}
