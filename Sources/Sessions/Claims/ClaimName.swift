/// The permitted names of an app's own claims.
package enum ClaimName {
    /// The names that only the gateway may issue, because verifiers act on them.
    ///
    /// Sources: RFC 7519 §4.1, RFC 8693, RFC 9068, OpenID Connect Core. `roles` and `groups` are absent, because claims
    /// services exist to supply them.
    package static let reserved: Set<String> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "typ", "client_id", "sid", "auth_time", "amr", "acr", "idp",
        "azp", "appid", "tid", "oid", "ver", "nonce", "at_hash", "c_hash", "s_hash", "scope", "scp", "cnf", "act",
        "may_act", "events", "token_type", "active", "email_verified", "phone_number_verified",
    ]

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
