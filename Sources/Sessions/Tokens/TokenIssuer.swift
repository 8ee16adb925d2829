import Cryptography
package import Foundation
package import JSON

/// The single mint: every access token of ours is made here, and believed here.
package struct TokenIssuer: Sendable {
    /// `iss` of our tokens: the configured public address.
    package let issuer: String
    private let keys: SigningKeys

    /// The `typ` that tells an access token from any other token of the same key (RFC 9068 §2.1).
    static let type = "at+jwt"
    /// No own token is longer.
    private static let maximumLength = 8_192

    package init(issuer: String, keys: SigningKeys) {
        (self.issuer, self.keys) = (issuer, keys)
    }

    /// The token of one link of a session's chain.
    ///
    /// The same link and time give the same bytes on every server, because a retry must get the same answer: our keys are
    /// for ES256, whose signatures depend on key and claims alone.
    ///
    /// - Parameters:
    ///   - generation: the rotation that it belongs to.
    ///   - audiences: the client's.
    ///   - life: in seconds.
    package func issue(
        _ facts: AccessTokenFacts, generation: Int, for audiences: Set<Audience> = [], at issuedAt: Date, life: Int
    ) throws -> String {
        let claims = facts.claims(
            issuer: issuer, tokenID: tokenID(facts.session, generation, issuedAt), audiences: audiences,
            issuedAt: issuedAt, life: life)
        return try keys.signer(at: issuedAt).sign(claims)
    }

    /// `jti`: follows from the link and the second, like all else in its token.
    private func tokenID(_ session: UUID, _ generation: Int, _ issuedAt: Date) -> String {
        var link: [UInt8] = []
        link.reserveCapacity(48)
        link += "access token ".utf8
        session.append(to: &link)
        UInt32(generation).appendBigEndian(to: &link)
        UInt32(truncatingIfNeeded: Int(issuedAt.timeIntervalSince1970)).appendBigEndian(to: &link)
        let digest = SHA256.digest(link.span)
        return Base64URL.encode(digest.span.extracting(first: 16))
    }

    /// A token that shows to another service who calls; its type keeps it from passing for an access token.
    func serviceToken(_ claims: JSON, at now: Date) throws -> String {
        try keys.signer(at: now).typed("JWT").sign(claims)
    }

    /// What a token of ours says that it is good for, beside the app's own API.
    func audiences(_ claims: JSONObject) -> Set<Audience> {
        let names = (claims["aud"]?.array ?? []).compactMap(\.string)
        return Set(Audience.allCases.filter { names.contains($0.name(issuer: issuer)) })
    }

    /// A token of ours that is not over: who it speaks of.
    ///
    /// There is no leeway, since the clock that made it is ours.
    package func verify(_ token: String, at now: Date) throws(Rejection) -> (
        facts: AccessTokenFacts, claims: JSONObject, expires: Date
    ) {
        guard let jwt = try? JWT(parsing: token, maximumLength: Self.maximumLength) else { throw .tokenMalformed }
        guard jwt.algorithmName == "ES256",
            jwt.header["typ"]?.string == Self.type, let key = jwt.keyID.flatMap({ keys.publicKey($0, at: now) }),
            jwt.isSigned(by: key, .ES256),
            jwt.claims["iss"] == .string(issuer), let facts = AccessTokenFacts(claims: jwt.claims),
            let seconds = jwt.claims["exp"]?.integer
        else { throw .tokenInvalid }
        let expires = Date(timeIntervalSince1970: TimeInterval(seconds))
        guard expires > now else { throw .tokenExpired }
        return (facts, jwt.claims, expires)
    }
}
