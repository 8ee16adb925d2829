import Clients
import Foundation
import JSON
import Vocabulary

/// The tokens of Amazon Cognito user pools ("Using tokens" of its developer guide).
///
/// Both are signed with RS256 and have no `typ`. `origin_jti` names the session.
enum CognitoClaims {
    static func access(_ facts: AccessTokenFacts, _ scopes: Set<TokenScope>, of app: CognitoApp, _ issue: DialectIssue)
        -> JSON
    {
        var claims = common(facts, issue, use: "access")
        claims["client_id"] = .string(app.clientID)
        claims["username"] = .string(facts.account.text)
        claims["scope"] = .string(scopes.names.joined(separator: " "))
        for claim in facts.claims.members where claims[claim.name] == nil { claims[claim.name] = claim.value }
        return .object(claims)
    }

    /// - Parameter profile: the account with the attributes of the app.
    static func identity(
        _ facts: AccessTokenFacts, _ profile: AccountProfile, _ scopes: Set<TokenScope>, of app: CognitoApp,
        nonce: String?, _ issue: DialectIssue
    ) -> JSON {
        var claims = common(facts, issue, use: "id")
        claims["aud"] = .string(app.clientID)
        claims["cognito:username"] = .string(facts.account.text)
        claims["nonce"] = nonce.map(JSON.string)
        for attribute in profile.cognitoAttributes(for: scopes) where claims[attribute.name] == nil {
            claims[attribute.name] = .string(attribute.value)
        }
        // The flags are texts in the API, and booleans here.
        if claims["email_verified"] != nil { claims["email_verified"] = .bool(profile.summary.emailVerified) }
        if claims["phone_number_verified"] != nil { claims["phone_number_verified"] = .bool(profile.phoneVerified) }
        return .object(claims)
    }

    private static func common(_ facts: AccessTokenFacts, _ issue: DialectIssue, use: String) -> JSONObject {
        let issued = Int(issue.issuedAt.timeIntervalSince1970)
        var claims: JSONObject = [
            "sub": .string(facts.account.text), "iss": .string(issue.issuer), "token_use": .string(use),
            "origin_jti": .string(facts.session.text), "event_id": .string(facts.session.text),
            "auth_time": .integer(Int(facts.authTime.timeIntervalSince1970)), "iat": .integer(issued),
            "exp": .integer(issued + issue.life), "jti": .string(issue.tokenID),
        ]
        claims["acr"] = (facts.proofs.cognitoLevel?.uri).map(JSON.string)
        let methods = facts.proofs.cognitoMethods
        if !methods.isEmpty { claims["amr"] = .array(methods.map(JSON.string)) }
        return claims
    }

    /// The content of a verified access token.
    struct Access {
        let session: UUID
        let clientID: String
        let issuer: String
        let scopes: Set<TokenScope>
        let expires: Date

        /// Nil for another token of the same key.
        init?(_ claims: JSONObject) {
            // A derived token has an audience, and is for that service alone.
            guard claims["token_use"] == "access", claims["aud"] == nil,
                let session = claims["origin_jti"]?.string.flatMap(UUID.init(text:)),
                let clientID = claims["client_id"]?.string, let issuer = claims["iss"]?.string,
                let seconds = claims["exp"]?.integer, let scope = claims["scope"]?.string
            else { return nil }
            scopes = Set(names: scope.words)
            (self.session, self.clientID, self.issuer) = (session, clientID, issuer)
            expires = Date(timeIntervalSince1970: TimeInterval(seconds))
        }
    }
}
