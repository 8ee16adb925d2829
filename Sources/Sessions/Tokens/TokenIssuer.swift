import Clients
import Cryptography
import Foundation
import JSON
import Vocabulary

/// Issues access tokens and ID tokens, and verifies the access tokens.
package struct TokenIssuer: Sendable {
    /// The `iss` claim: the configured public address.
    package let issuer: String
    let keys: SigningKeys
    /// The issuer of a Cognito app client's tokens; nil for an unknown one.
    private let poolIssuer: @Sendable (_ clientID: String) -> String?

    /// The `typ` that distinguishes access tokens from other tokens of the same key (RFC 9068 §2.1).
    static let type = "at+jwt"
    /// In bytes; longer tokens are refused unread.
    static let maximumLength = 8_192

    package init(
        issuer: String, keys: SigningKeys,
        poolIssuer: @escaping @Sendable (_ clientID: String) -> String? = { _ in nil }
    ) {
        (self.issuer, self.keys, self.poolIssuer) = (issuer, keys, poolIssuer)
    }

    /// The token of one link of a session's chain.
    ///
    /// The same link and time give the same claims of our own form, `jti` included, on every server. The signature
    /// differs each time. RS256 has no random part, so tokens of a dialect get a random `jti`.
    ///
    /// - Parameters:
    ///   - scopes: those of the session; none without an ID token.
    ///   - generation: the number of rotations of the session.
    func issue(
        _ facts: AccessTokenFacts, _ scopes: Set<TokenScope> = [], generation: Int, at issuedAt: Date,
        by terms: TokenProfile.AccessToken
    ) throws -> String {
        let signer = try keys.signer(terms.algorithm, at: issuedAt)
        switch terms.form {
        case .gateway:
            let kind = "access token " + (terms.target.map { $0.resource.identifier + " " } ?? "")
            let tokenID = tokenID(kind, facts.session, generation, issuedAt)
            return try signer.sign(
                facts.claims(
                    issuer: issuer, clientID: terms.clientID, tokenID: tokenID, audiences: terms.audiences,
                    scopes: scopes, for: terms.target,
                    issuedAt: issuedAt, life: terms.life))
        case .cognito(let app):
            return try signer.typed(nil).sign(
                CognitoClaims.access(facts, scopes, of: app, issue(app.issuer(at: issuer), issuedAt, terms.life)))
        case .nativeAuth(let app):
            return try signer.typed(Self.type).sign(
                NativeAuthClaims.access(
                    facts, scopes, of: app, issue(app.issuer(at: issuer), issuedAt, terms.life)))
        }
    }

    /// An access token of Cognito's form for a service behind the app.
    ///
    /// - Parameter life: in seconds.
    func derived(
        _ facts: AccessTokenFacts, _ scopes: Set<TokenScope>, for audience: String, of app: CognitoApp, life: Int,
        at issuedAt: Date
    ) throws -> String {
        try keys.signer(.rs256, at: issuedAt).typed(nil).sign(
            CognitoClaims.derived(
                facts, scopes, for: audience, of: app, issue(app.issuer(at: issuer), issuedAt, life)))
    }

    private func issue(_ issuer: String, _ issuedAt: Date, _ life: Int) -> DialectIssue {
        DialectIssue(issuer, tokenID: Base64URL.encode(RandomBytes.system(16)), at: issuedAt, life: life)
    }

    /// The ID token of the same link.
    ///
    /// Its type differs from that of access tokens, so ``verify(_:at:)`` refuses it.
    ///
    /// - Parameter access: the access token of the same answer.
    func idToken(
        _ facts: IDTokenFacts, generation: Int, beside access: String, at issuedAt: Date,
        by terms: TokenProfile.IDToken
    ) throws -> String {
        let signer = try keys.signer(terms.algorithm, at: issuedAt)
        switch terms.form {
        case .gateway:
            let tokenID = tokenID("id token ", facts.session.session, generation, issuedAt)
            return try signer.typed("JWT").sign(
                facts.claims(
                    issuer: issuer, audience: terms.audience, tokenID: tokenID, accessToken: access,
                    issuedAt: issuedAt, life: terms.life))
        case .cognito(let app):
            guard let profile = facts.profile else { throw Rejection.internalError }
            return try signer.typed(nil).sign(
                CognitoClaims.identity(
                    facts.session, profile, facts.scopes, of: app, nonce: facts.nonce,
                    issue(app.issuer(at: issuer), issuedAt, terms.life)))
        case .nativeAuth(let app):
            guard let profile = facts.profile else { throw Rejection.internalError }
            return try signer.typed("JWT").sign(
                NativeAuthClaims.identity(
                    facts.session, profile, of: app, nonce: facts.nonce,
                    issue(app.issuer(at: issuer), issuedAt, terms.life)))
        }
    }

    /// `jti` of our own form: a digest of the kind, the session, the generation and the second of issue.
    private func tokenID(_ kind: String, _ session: UUID, _ generation: Int, _ issuedAt: Date) -> String {
        var link: [UInt8] = []
        link.reserveCapacity(48)
        link += kind.utf8
        session.append(to: &link)
        UInt32(generation).appendBigEndian(to: &link)
        UInt32(truncatingIfNeeded: Int(issuedAt.timeIntervalSince1970)).appendBigEndian(to: &link)
        return Base64URL.encode(Array(SHA256.hash(link).prefix(16)))
    }

    /// A token that authenticates this service to another one.
    ///
    /// Its type differs from that of access tokens.
    func serviceToken(_ claims: JSON, at now: Date) throws -> String {
        try keys.signer(.es256, at: now).typed("JWT").sign(claims)
    }

    /// The audiences of a verified token besides the app's own API.
    func audiences(_ claims: JSONObject) -> Set<Audience> {
        let names = (claims["aud"]?.array ?? []).compactMap(\.string)
        return Set(Audience.allCases.filter { names.contains($0.name(issuer: issuer)) })
    }

    /// Verifies an access token of Cognito's form: a key of this service, RS256, and the issuer of the app client's pool.
    func verifyCognito(_ token: String, at now: Date) throws(Rejection) -> CognitoClaims.Access {
        guard let jwt = try? JWT(parsing: token, maximumLength: Self.maximumLength) else { throw .tokenMalformed }
        guard jwt.algorithmName == "RS256", let key = jwt.keyID.flatMap({ keys.publicKey($0, at: now) }),
            jwt.isSigned(by: key, .RS256), let access = CognitoClaims.Access(jwt.claims),
            poolIssuer(access.clientID) == access.issuer
        else { throw .tokenInvalid }
        guard access.expires > now else { throw .tokenExpired }
        return access
    }

    /// A verified access token.
    struct Verified {
        /// Nil for the token of an app for itself.
        let user: User?
        let claims: JSONObject
        let expires: Date
        let algorithm: String?

        /// Whom it is about.
        ///
        /// The session knows the account, which a pairwise subject does not name.
        struct User: Equatable {
            let session: UUID
            let subject: String
            /// The thumbprint of the key to which it is bound; nil for a bearer token.
            let key: String?

            /// Nil if a claim is missing or has the wrong type.
            init?(claims: JSONObject) {
                guard let session = claims["sid"]?.string.flatMap(UUID.init(text:)), let subject = claims["sub"]?.string
                else { return nil }
                (self.session, self.subject, key) = (session, subject, AccessTokenFacts.key(in: claims))
            }
        }

        /// Whether it is for the gateway and the app's own API; a token for a resource opens nothing here.
        var isOwn: Bool {
            guard algorithm == "ES256", let client = claims["client_id"] else { return false }
            return claims["aud"] == client || claims["aud"]?.array?.contains(client) == true
        }
    }

    /// Verifies an access token for the gateway and returns its content.
    ///
    /// There is no leeway, because this service's own clock set the times.
    func verify(_ token: String, at now: Date) throws(Rejection) -> (verified: Verified, user: Verified.User) {
        let verified = try verifyForAny(token, at: now)
        guard let user = verified.user else { throw .tokenInvalid }
        guard verified.isOwn else { throw .tokenInvalid }
        return (verified, user)
    }

    /// The same for an access token of any audience.
    func verifyForAny(_ token: String, at now: Date) throws(Rejection) -> Verified {
        guard let jwt = try? JWT(parsing: token, maximumLength: Self.maximumLength) else { throw .tokenMalformed }
        guard jwt.header["typ"]?.string == Self.type, isSignedByUs(jwt, at: now),
            jwt.claims["iss"] == .string(issuer), let seconds = jwt.claims["exp"]?.integer
        else { throw .tokenInvalid }
        let expires = Date(timeIntervalSince1970: TimeInterval(seconds))
        guard expires > now else { throw .tokenExpired }
        return Verified(
            user: Verified.User(claims: jwt.claims), claims: jwt.claims, expires: expires,
            algorithm: jwt.algorithmName)
    }
}
