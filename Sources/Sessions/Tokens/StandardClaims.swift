package import Clients
package import JSON
package import Vocabulary

/// The standard claims of an account (OpenID Connect Core §5.1), for ID tokens and the UserInfo endpoint.
extension AccountProfile {
    /// The claims that scopes select, and those that a request names; a claim without a value is absent (§5.3.2).
    package func claims(for scopes: Set<TokenScope>, and names: Set<String> = []) -> JSONObject {
        let wanted = Set(scopes.flatMap(\.claims)).union(names)
        var claims: JSONObject = [:]
        for claim in standardClaims where wanted.contains(claim.name) { claims[claim.name] = claim.value }
        return claims
    }

    private var standardClaims: [(name: String, value: JSON)] {
        var all: [(name: String, value: JSON)] = []
        func add(_ name: String, _ value: String?) { if let value { all.append((name, .string(value))) } }
        add("name", summary.displayName)
        add("preferred_username", userName)
        if let email = summary.email {
            all += [("email", .string(email)), ("email_verified", .bool(summary.emailVerified))]
        }
        if let phone { all += [("phone_number", .string(phone)), ("phone_number_verified", .bool(phoneVerified))] }
        for attribute in attributes.members {
            guard let text = attribute.value.string else { continue }
            if attribute.name == "address" {
                all.append(("address", ["formatted": .string(text)]))
            } else if Self.textClaims.contains(attribute.name) {
                add(attribute.name, text)
            }
        }
        return all
    }

    /// The claims that an attribute of the same name gives.
    private static let textClaims = Set(TokenScope.profile.claims).subtracting(["name", "preferred_username"])
}
