import JWTKit

/// The claims of an access token, and the checks that need no gateway.
struct AccessToken: JWTPayload {
    let iss: IssuerClaim, aud: AudienceClaim, exp: ExpirationClaim, sub: SubjectClaim

    func verify(using algorithm: some JWTAlgorithm) throws {
        guard iss.value == Setting.issuer else { throw TokenRefused() }
        try aud.verifyIntendedAudience(includes: Setting.clientID)
        try exp.verifyNotExpired()
    }

    static func userID(of token: String) async throws -> String {
        let header = try DefaultJWTParser().parse(Array(token.utf8), as: Unread.self).header
        guard header.alg == "ES256", header.typ == "at+jwt", let id = header.kid,
            let key = try await KeySet.shared.key(id)
        else { throw TokenRefused() }
        return try await JWTKeyCollection().add(jwk: key).verify(token, as: AccessToken.self).sub.value
    }
}

/// Reads no unverified claim, because JWTKit would trap on an empty `aud`.
struct Unread: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) {}
}

struct TokenRefused: Error {}
