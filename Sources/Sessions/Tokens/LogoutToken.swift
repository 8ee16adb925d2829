package import Clients
import Cryptography
package import Foundation
import JSON

extension TokenIssuer {
    /// The life of a logout token in seconds (OpenID Connect Back-Channel Logout 1.0 §4).
    private static let logoutTokenLife = 120
    private static let logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

    /// A token that tells an app of an ended session (§2.4); the key and the algorithm are those of its ID tokens.
    ///
    /// - Parameter subject: `sub` of those ID tokens.
    package func logoutToken(session: UUID, subject: String, for client: Client, at now: Date) throws -> String {
        let issued = Int(now.timeIntervalSince1970)
        return try keys.signer(client.openID.idTokenAlgorithm, at: now).typed("logout+jwt").sign([
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(client.publicID),
            "sid": .string(session.text),
            "iat": .integer(issued), "exp": .integer(issued + Self.logoutTokenLife),
            "jti": .string(Base64URL.encode(RandomBytes.system(16))), "events": .object([Self.logoutEvent: [:]]),
        ])
    }
}
