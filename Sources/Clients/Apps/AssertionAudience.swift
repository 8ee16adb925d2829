import JSON

/// An authorization server of another company for which an app may get assertions about its users
/// (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant §3).
package struct AssertionAudience: Sendable, Equatable {
    /// Its issuer identifier, exactly as it spells itself: the `aud` of the assertions.
    package let issuer: String
    /// The id of the app there.
    package let clientID: String
    /// The identifiers of the APIs that the app may name.
    package let resources: [String]
    package let scopes: [String]

    static let members = ["issuer", "client_id", "resources", "scopes"]
    private static let mostBytes = 512

    /// Reads the members of ``json``.
    init(_ reader: inout MemberReader) {
        issuer = reader.required("issuer", ProtectedResource.isIdentifier)
        clientID = reader.required("client_id") {
            (1...Self.mostBytes).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
        resources = reader.texts("resources", ProtectedResource.isIdentifier)
        scopes = reader.texts("scopes", ProtectedResource.isScopeToken)
    }

    /// The members that differ from their defaults.
    var json: JSON {
        var json: JSONObject = ["issuer": .string(issuer), "client_id": .string(clientID)]
        if !resources.isEmpty { json["resources"] = .array(resources.map(JSON.string)) }
        if !scopes.isEmpty { json["scopes"] = .array(scopes.map(JSON.string)) }
        return .object(json)
    }
}
