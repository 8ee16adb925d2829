package import Clients
import Cryptography
package import Foundation
import JSON
package import Vocabulary

/// The access token of an app for itself, without a user (client credentials: RFC 6749 §4.4, RFC 9068 §2.2).
extension TokenIssuer {
    /// The `sub` of a client, which no account has (RFC 9700 §4.15).
    package static func subject(of client: Client) -> String { "client:\(client.publicID)" }

    /// - Parameter target: nil for the client's own API.
    package func serviceToken(for client: Client, at target: ResourceTarget?, boundTo key: String?, now: Date) throws
        -> String
    {
        var claims = claims(
            of: client, for: target?.resource.identifier ?? client.publicID,
            life: target?.resource.tokenLife ?? client.accessTokenLife, boundTo: key, now)
        if let scopes = target?.scopes, !scopes.isEmpty { claims["scope"] = .string(scopes.joined(separator: " ")) }
        return try keys.signer(target?.resource.algorithm ?? .es256, at: now).sign(.object(claims))
    }

    /// The same for the administration API, where the client acts as its access key.
    package func administrationToken(
        for client: Client, by accessKey: AccessKey, life: Int, boundTo key: String?, now: Date
    ) throws -> String {
        var claims = claims(
            of: client, for: Audience.administration.name(issuer: issuer), life: life, boundTo: key, now)
        claims[Self.accessKeyClaim] = .string(accessKey.id)
        return try keys.signer(.es256, at: now).sign(.object(claims))
    }

    /// The id of the access key behind such a token, and the token's `iat`.
    ///
    /// - Throws: `tokenInvalid` for any other token, and without the proof of the key to which it is bound.
    package func accessKey(of token: PresentedToken, at now: Date) throws(Rejection) -> (key: String, issued: Int) {
        let verified = try verifyForAny(token.text, at: now)
        guard verified.user == nil, AccessTokenFacts.key(in: verified.claims) == token.key,
            verified.claims["aud"] == .string(Audience.administration.name(issuer: issuer)),
            let id = verified.accessKey, let issued = verified.claims["iat"]?.integer
        else { throw .tokenInvalid }
        return (id, issued)
    }

    static let accessKeyClaim = "access_key"

    private func claims(
        of client: Client, for audience: String, life: Int, boundTo key: String?, _ now: Date
    ) -> JSONObject {
        let issued = Int(now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(Self.subject(of: client)), "client_id": .string(client.publicID),
            "aud": .string(audience), "iat": .integer(issued), "exp": .integer(issued + life),
            "jti": .string(Base64URL.encode(RandomBytes.system(16))),
        ]
        claims["cnf"] = AccessTokenFacts.confirmation(of: key)
        return claims
    }
}

extension TokenIssuer.Verified {
    /// The id of the access key in a client's token; nil for any other token.
    var accessKey: String? { claims[TokenIssuer.accessKeyClaim]?.string }
}
