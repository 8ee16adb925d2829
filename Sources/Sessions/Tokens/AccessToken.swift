import Cryptography
package import Foundation
package import JSON

/// The facts that our access token states (RFC 9068 §2.2).
package struct AccessTokenFacts: Sendable, Equatable {
    package let session: UUID
    package let account: UUID
    package let clientID: String
    /// How the person came in: a provider's id, or `password`.
    package let provider: String
    package let authTime: Date
    package let amr: [String]
    package let acr: String
    /// What the client's tokens carry beside the usual; never in the place of one of ours.
    package let claims: JSONObject

    package init(
        session: UUID, account: UUID, clientID: String, provider: String, authTime: Date, amr: [String], acr: String,
        claims: JSONObject = [:]
    ) {
        (self.session, self.account, self.clientID, self.provider) = (session, account, clientID, provider)
        (self.authTime, self.amr, self.acr, self.claims) = (authTime, amr, acr, claims)
    }
}

extension AccessTokenFacts {
    /// The same with the claims of the client's own.
    func with(_ claims: JSONObject) -> AccessTokenFacts {
        AccessTokenFacts(
            session: session, account: account, clientID: clientID, provider: provider, authTime: authTime, amr: amr,
            acr: acr, claims: claims)
    }

    /// The claims.
    ///
    /// Whole seconds only, and nothing random: a repeated refresh gets an access token with the same claims.
    func claims(issuer: String, tokenID: String, audiences: Set<Audience> = [], issuedAt: Date, life: Int) -> JSON {
        let issued = Int(issuedAt.timeIntervalSince1970)
        var all: JSONObject = [
            "iss": .string(issuer), "sub": .string(account.text), "aud": audience(audiences, issuer),
            "client_id": .string(clientID),
            "sid": .string(session.text), "jti": .string(tokenID), "iat": .integer(issued),
            "exp": .integer(issued + life),
            "auth_time": .integer(Int(authTime.timeIntervalSince1970)), "amr": .array(amr.map(JSON.string)),
            "acr": .string(acr),
            "idp": .string(provider),
        ]
        for claim in claims.members where all[claim.name] == nil { all[claim.name] = claim.value }
        return .object(all)
    }

    /// The app's own API alone as text, and with what else it is good for as a list.
    private func audience(_ audiences: Set<Audience>, _ issuer: String) -> JSON {
        guard !audiences.isEmpty else { return .string(clientID) }
        let others = Audience.allCases.filter(audiences.contains).map { $0.name(issuer: issuer) }
        return .array(([clientID] + others).map(JSON.string))
    }

    /// Nil when a claim is missing or of another type, as in a token that was not made here.
    init?(claims: JSONObject) {
        guard let session = claims["sid"]?.string.flatMap(UUID.init(text:)),
            let account = claims["sub"]?.string.flatMap(UUID.init(text:)),
            let client = claims["client_id"]?.string, let provider = claims["idp"]?.string,
            let authTime = claims["auth_time"]?.integer,
            let amr = claims["amr"]?.array?.compactMap(\.string), let acr = claims["acr"]?.string
        else { return nil }
        self.init(
            session: session, account: account, clientID: client, provider: provider,
            authTime: Date(timeIntervalSince1970: TimeInterval(authTime)), amr: amr, acr: acr)
    }
}
