import Cryptography
package import JSON

/// Names what an operator was shown, so that what they confirm is a change of that and of nothing newer.
package enum Fingerprint {
    package static func of(_ facts: JSONObject) -> String {
        Base64URL.encode(SHA256.hash(JSON.object(facts).text))
    }
}
