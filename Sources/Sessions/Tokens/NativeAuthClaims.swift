import Clients
import Foundation
import JSON
import Vocabulary

/// The tokens of Microsoft's native authentication, in the form of its platform's version 2.0.
///
/// MSAL keys its cache on `oid` and `tid`, so both stay the same for a user.
enum NativeAuthClaims {
    static func access(
        _ facts: AccessTokenFacts, _ scopes: Set<TokenScope>, of app: NativeAuthApp, _ issue: DialectIssue
    ) -> JSON {
        var claims = common(facts, app, issue)
        claims["azp"] = .string(app.applicationID)
        claims["scp"] = .string(scopes.names.joined(separator: " "))
        claims["sid"] = .string(facts.session.text)
        for claim in facts.claims.members where claims[claim.name] == nil { claims[claim.name] = claim.value }
        return .object(claims)
    }

    /// - Parameter profile: the account with the attributes of the app.
    static func identity(
        _ facts: AccessTokenFacts, _ profile: AccountProfile, of app: NativeAuthApp, nonce: String?,
        _ issue: DialectIssue
    ) -> JSON {
        var claims = common(facts, app, issue)
        claims["preferred_username"] = .string(profile.provedName ?? facts.account.text)
        claims["name"] = .string(profile.summary.displayName ?? "unknown")
        claims["nonce"] = nonce.map(JSON.string)
        if let email = profile.summary.email, profile.summary.emailVerified { claims["email"] = .string(email) }
        for attribute in profile.attributes.members where claims[attribute.name] == nil {
            claims[attribute.name] = attribute.value
        }
        return .object(claims)
    }

    private static func common(_ facts: AccessTokenFacts, _ app: NativeAuthApp, _ issue: DialectIssue) -> JSONObject {
        let issued = Int(issue.issuedAt.timeIntervalSince1970)
        return [
            "aud": .string(app.applicationID), "iss": .string(issue.issuer), "iat": .integer(issued),
            "nbf": .integer(issued), "exp": .integer(issued + issue.life),
            "auth_time": .integer(Int(facts.authTime.timeIntervalSince1970)), "oid": .string(facts.account.text),
            "sub": .string(facts.account.text), "tid": .string(app.tenantID), "uti": .string(issue.tokenID),
            "ver": "2.0",
        ]
    }
}

extension AccountProfile {
    /// The name that nobody else can have: a proved address, the user name, or a proved number.
    fileprivate var provedName: String? {
        let email = summary.emailVerified ? summary.email : nil
        return email ?? userName ?? (phoneVerified ? phone : nil)
    }
}
