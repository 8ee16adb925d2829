import Cryptography
import Foundation
import JSON
import Vocabulary

extension TokenIssuer {
    /// The session and the subject of an access token in any of our forms; nil for a text that is no valid token of ours.
    ///
    /// - Throws: `tokenTypeUnsupported` for another token that we signed, such as an ID token.
    func revocable(_ token: String, at now: Date) throws(Rejection) -> (session: UUID, subject: String)? {
        guard let jwt = try? JWT(parsing: token, maximumLength: Self.maximumLength), isSignedByUs(jwt, at: now),
            let seconds = jwt.claims["exp"]?.integer, Date(timeIntervalSince1970: TimeInterval(seconds)) > now
        else { return nil }
        guard let session = Self.session(ofAccess: jwt), let subject = jwt.claims["sub"]?.string else {
            throw .tokenTypeUnsupported
        }
        return (session, subject)
    }

    func isSignedByUs(_ jwt: JWT, at now: Date) -> Bool {
        guard let key = jwt.keyID.flatMap({ keys.publicKey($0, at: now) }) else { return false }
        return switch jwt.algorithmName {
        case "ES256": jwt.isSigned(by: key, .ES256)
        case "RS256": jwt.isSigned(by: key, .RS256)
        default: false
        }
    }

    /// The claim that names the session, in the gateway's form, in Cognito's, and in that of native authentication.
    private static func session(ofAccess jwt: JWT) -> UUID? {
        let claims = jwt.claims
        let isCognito = claims["token_use"] == "access"
        guard isCognito || jwt.header["typ"]?.string == Self.type || claims["scp"] != nil else { return nil }
        return claims[isCognito ? "origin_jti" : "sid"]?.string.flatMap(UUID.init(text:))
    }
}
