package import Clients
import Cryptography
package import Foundation
package import JSON

extension TokenIssuer {
    /// The claims of the UserInfo endpoint as a JWT for the client alone (OpenID Connect Core §5.3.2).
    package func userInfo(
        _ claims: JSONObject, for client: Client, by algorithm: TokenProfile.Algorithm, at now: Date
    ) throws -> String {
        var claims = claims
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(client.publicID)
        return try keys.signer(algorithm, at: now).typed("JWT").sign(.object(claims))
    }
}
