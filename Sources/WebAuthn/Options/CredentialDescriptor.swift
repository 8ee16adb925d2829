import Cryptography
import JSON

/// Names a credential to a client, and how its authenticator can be reached (WebAuthn §5.8.3).
package struct CredentialDescriptor: Equatable, Sendable {
    package let id: [UInt8]
    /// As the authenticator gave them when the credential was made.
    package let transports: [String]

    package init(id: [UInt8], transports: [String]) {
        self.id = id
        self.transports = transports
    }

    var json: JSON {
        var members: JSONObject = ["type": "public-key", "id": .string(Base64URL.encode(id))]
        // An absent list means "no matter how", an empty one is left to each browser.
        if !transports.isEmpty { members["transports"] = .array(transports.map(JSON.string)) }
        return .object(members)
    }
}
