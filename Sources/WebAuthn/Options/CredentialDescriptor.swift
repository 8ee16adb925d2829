import Cryptography
import JSON

/// Identifies a credential to a client, with the transports of its authenticator (WebAuthn §5.8.3).
package struct CredentialDescriptor: Equatable, Sendable {
    package let id: [UInt8]
    /// As reported by the authenticator at creation.
    package let transports: [String]

    package init(id: [UInt8], transports: [String]) {
        self.id = id
        self.transports = transports
    }

    var json: JSON {
        var members: JSONObject = ["type": "public-key", "id": .string(Base64URL.encode(id))]
        // A missing list means any transport; browsers interpret an empty one differently.
        if !transports.isEmpty { members["transports"] = .array(transports.map(JSON.string)) }
        return .object(members)
    }
}
