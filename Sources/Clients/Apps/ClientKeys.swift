package import Cryptography
package import JSON

/// The public keys with which a client signs its assertions (RFC 7591 §2).
package enum ClientKeys: Sendable {
    case listed(JWKSet)
    /// The address of the key set.
    case published(String)
}

extension OpenIDSettings {
    /// `jwks` or `jwks_uri`; empty for a client without keys.
    package var keyMembers: JSONObject { Self.keyMembers(of: json.object ?? [:]) }

    static func keyMembers(of settings: JSONObject) -> JSONObject {
        JSONObject(settings.members.filter { ["jwks", "jwks_uri"].contains($0.name) })
    }

    /// Reads the keys of an app that describes itself.
    ///
    /// - Returns: `jwks` or `jwks_uri`; empty without keys.
    static func keys(of app: JSONObject) throws(MemberFault) -> JSONObject {
        try OpenIDSettings(parsing: keyMembers(of: app)).keyMembers
    }
}
