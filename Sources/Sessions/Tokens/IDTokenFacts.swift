import Clients
import Cryptography
import Foundation
import JSON
import Vocabulary

/// The facts that an ID token states (OpenID Connect Core §2).
struct IDTokenFacts: Sendable {
    let session: AccessTokenFacts
    let scopes: Set<TokenScope>
    /// The app's nonce; nil without one, and after a refresh (OpenID Connect Core §12.2).
    let nonce: String?
    /// The claims that the request names for the ID token.
    var requested: Set<String> = []
    /// The account's data; nil if the token states none of it.
    let profile: AccountProfile?

    /// The claims of the token.
    ///
    /// - Parameters:
    ///   - audience: the client's id.
    ///   - accessToken: issued in the same answer; `at_hash` binds the two.
    func claims(
        issuer: String, audience: String, tokenID: String, accessToken: String, issuedAt: Date, life: Int
    ) -> JSON {
        let issued = Int(issuedAt.timeIntervalSince1970)
        var all: JSONObject = [
            "iss": .string(issuer), "sub": .string(session.subject), "aud": .string(audience),
            "iat": .integer(issued), "exp": .integer(issued + life),
            "auth_time": .integer(Int(session.authTime.timeIntervalSince1970)),
            "acr": .string(session.acr), "amr": .array(session.amr.map(JSON.string)),
            "sid": .string(session.session.text), "at_hash": .string(Self.hash(of: accessToken)),
            "jti": .string(tokenID),
        ]
        all["nonce"] = nonce.map(JSON.string)
        all["act"] = session.act
        for claim in profile?.claims(for: scopes, and: requested).members ?? [] where all[claim.name] == nil {
            all[claim.name] = claim.value
        }
        return .object(all)
    }

    /// The left half of the digest (OpenID Connect Core §3.1.3.6).
    static func hash(of accessToken: String) -> String {
        Base64URL.encode(Array(SHA256.hash(accessToken).prefix(16)))
    }
}
