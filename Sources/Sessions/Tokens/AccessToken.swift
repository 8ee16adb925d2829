import Clients
package import Foundation
package import JSON

/// The facts that our access token states (RFC 9068 §2.2).
package struct AccessTokenFacts: Sendable, Equatable {
    package let session: UUID
    package let account: UUID
    /// The subject by which the app knows the user (OpenID Connect Core §8.1); nil where it knows the account's id.
    package private(set) var pairwise: String?
    package let clientID: String
    /// The sign-in method: a provider's id, or `password`.
    package let provider: String
    package let authTime: Date
    package let amr: [String]
    package let acr: String
    /// The proofs behind `amr` and `acr`; empty in the facts of a token.
    package let proofs: Proofs
    /// The operator who acts for the user; nil for the user's own session.
    package let actor: UUID?
    /// The client's extra claims; they never replace ours.
    package private(set) var claims: JSONObject
    /// The thumbprint of the key to which the token is bound (RFC 9449 §6.1); nil for a bearer token.
    package private(set) var key: String?

    package init(
        session: UUID, account: UUID, pairwise: String? = nil, clientID: String, provider: String, authTime: Date,
        amr: [String], acr: String, proofs: Proofs = Proofs(), actor: UUID? = nil, claims: JSONObject = [:],
        key: String? = nil
    ) {
        (self.session, self.account, self.clientID, self.provider) = (session, account, clientID, provider)
        (self.authTime, self.amr, self.acr, self.proofs, self.claims) = (authTime, amr, acr, proofs, claims)
        (self.pairwise, self.actor, self.key) = (pairwise, actor, key)
    }

    /// `sub`.
    package var subject: String { pairwise ?? account.text }

    /// Returns a copy with the client's extra claims.
    package func with(_ claims: JSONObject) -> AccessTokenFacts {
        var facts = self
        facts.claims = claims
        return facts
    }

    /// Returns a copy that is bound to a key; nil leaves it a bearer token.
    func bound(to key: String?) -> AccessTokenFacts {
        var facts = self
        facts.key = key
        return facts
    }

    /// Returns a copy for an app that knows the user by another subject.
    func known(as subject: String) -> AccessTokenFacts {
        var facts = self
        facts.pairwise = subject
        return facts
    }
}

extension AccessTokenFacts {
    /// `act` (RFC 8693 §4.1); nil where nobody acts for the user.
    ///
    /// An app with pairwise subjects reads no account id, so none of the operator either.
    var act: JSON? { actor.map { ["sub": .string(pairwise == nil ? $0.text : "operator")] } }

    /// The confirmation of a key (RFC 9449 §6.1).
    static func confirmation(of key: String?) -> JSON? { key.map { ["jkt": .string($0)] } }

    /// `token_type` (RFC 6749 §7.1, RFC 9449 §5).
    static func tokenType(boundTo key: String?) -> String { key == nil ? "Bearer" : "DPoP" }

    /// The thumbprint in the claims of a token.
    static func key(in claims: JSONObject) -> String? { claims["cnf"]?["jkt"]?.string }

    /// The claims of the token.
    ///
    /// They hold whole seconds and nothing random, so that a retried refresh gets the same claims.
    func claims(
        issuer: String, clientID: String, tokenID: String, audiences: Set<Audience> = [], scopes: Set<TokenScope> = [],
        for target: ResourceTarget? = nil, issuedAt: Date, life: Int
    ) -> JSON {
        let issued = Int(issuedAt.timeIntervalSince1970)
        var all: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject),
            "aud": target.map { .string($0.resource.identifier) } ?? audience(clientID, audiences, issuer),
            "client_id": .string(clientID),
            "sid": .string(session.text), "jti": .string(tokenID), "iat": .integer(issued),
            "exp": .integer(issued + life),
            "auth_time": .integer(Int(authTime.timeIntervalSince1970)), "amr": .array(amr.map(JSON.string)),
            "acr": .string(acr),
            "idp": .string(provider),
        ]
        all["cnf"] = Self.confirmation(of: key)
        all["act"] = act
        let names = target?.scopes ?? scopes.names
        if !names.isEmpty { all["scope"] = .string(names.joined(separator: " ")) }
        // They are for the app's own API.
        guard target == nil else { return .object(all) }
        for claim in claims.members where all[claim.name] == nil { all[claim.name] = claim.value }
        return .object(all)
    }

    /// Text for the app's own API alone, a list with other audiences.
    private func audience(_ clientID: String, _ audiences: Set<Audience>, _ issuer: String) -> JSON {
        guard !audiences.isEmpty else { return .string(clientID) }
        let others = Audience.allCases.filter(audiences.contains).map { $0.name(issuer: issuer) }
        return .array(([clientID] + others).map(JSON.string))
    }
}
