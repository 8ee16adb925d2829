import Clients
import Foundation
import JSON

/// A token for a service behind an app, derived from a user's token (RFC 8693).
package struct DerivedToken: Sendable {
    package let text: String
    /// In seconds.
    package let life: Int
}

extension CognitoClaims {
    /// An access token with an audience: it opens nothing at the gateway.
    static func derived(
        _ facts: AccessTokenFacts, _ scopes: Set<TokenScope>, for audience: String, of app: CognitoApp,
        _ issue: DialectIssue
    ) -> JSON {
        // The claims that another app ordered stay with that app.
        var claims = access(facts.with([:]), scopes, of: app, issue).object ?? [:]
        claims["aud"] = .string(audience)
        return .object(claims)
    }
}
