/// The permitted names of an app's own claims.
package enum ClaimName {
    /// The names that only the gateway may issue, because verifiers act on them.
    ///
    /// Sources: RFC 7519 §4.1, RFC 8693, RFC 9068, OpenID Connect Core. `roles` and `groups` are absent, because claims
    /// services exist to supply them.
    package static let reserved: Set<String> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "typ", "client_id", "sid", "auth_time", "amr", "acr", "idp",
        "azp", "appid", "tid", "oid", "ver", "nonce", "at_hash", "c_hash", "s_hash", "scope", "scp", "cnf", "act",
        "may_act", "events", "token_type", "active", "email_verified", "phone_number_verified", "token_use",
        "origin_jti", "event_id", "uti",
    ]

    /// The names that tell who a user is or what they may do, and those of the account's own data.
    ///
    /// A service of the operator may supply them. A value that a user or an app stores may not take such a name.
    private static let ofIdentity: Set<String> = [
        "email", "name", "phone_number", "preferred_username", "username", "upn", "unique_name", "roles", "groups",
        "wids", "permissions", "entitlements", "display_name", "user_name", "phone",
    ]
    /// The claims that the account's own data may become.
    private static let ofAccount = [
        "display_name": "name", "user_name": "preferred_username", "email": "email", "phone": "phone_number",
    ]

    /// Whether an attribute may have this name, or become this claim.
    ///
    /// Some verifiers ignore case; `cognito:groups` and the like are of user pools.
    static func isFree(_ name: String) -> Bool {
        let name = name.lowercased()
        return !reserved.contains(name) && !ofIdentity.contains(name) && !name.hasPrefix("cognito:")
    }

    /// Whether an attribute, or a value of the account, may become a claim.
    static func isAllowed(_ claim: String, from attribute: String) -> Bool {
        let own = ofAccount[attribute]
        return isAllowed(claim) && (isFree(claim) || own != nil && (claim == own || claim == attribute))
    }

    /// Allows up to 64 letters, digits and `_ - . : /`, except reserved names.
    package static func isAllowed(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !reserved.contains(name) && name.utf8.allSatisfy(isPart)
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_-.:/".utf8.contains(byte)
        }
    }
}
