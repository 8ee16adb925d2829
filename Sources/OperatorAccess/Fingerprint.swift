import Cryptography
package import JSON

/// Identifies the state that an operator was shown, so that a confirmation applies only to that state.
package enum Fingerprint {
    package static func of(_ facts: JSONObject) -> String {
        Base64URL.encode(SHA256.hash(JSON.object(facts).text))
    }
}
