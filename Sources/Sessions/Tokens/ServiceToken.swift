package import Clients
import Cryptography
package import Foundation
import JSON

/// The access token of an app for itself, without a user (client credentials: RFC 6749 §4.4, RFC 9068 §2.2).
extension TokenIssuer {
    /// The `sub` of a client, which no account has (RFC 9700 §4.15).
    package static func subject(of client: Client) -> String { "client:\(client.publicID)" }

    /// - Parameter target: nil for the client's own API.
    package func serviceToken(for client: Client, at target: ResourceTarget?, boundTo key: String?, now: Date) throws
        -> String
    {
        let issued = Int(now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(Self.subject(of: client)), "client_id": .string(client.publicID),
            "aud": .string(target?.resource.identifier ?? client.publicID), "iat": .integer(issued),
            "exp": .integer(issued + (target?.resource.tokenLife ?? client.accessTokenLife)),
            "jti": .string(Base64URL.encode(RandomBytes.system(16))),
        ]
        claims["cnf"] = AccessTokenFacts.confirmation(of: key)
        if let scopes = target?.scopes, !scopes.isEmpty { claims["scope"] = .string(scopes.joined(separator: " ")) }
        return try keys.signer(target?.resource.algorithm ?? .es256, at: now).sign(.object(claims))
    }
}
