package import Clients
package import JSON

/// The metadata of a resource (RFC 9728 §2), in which apps read where its tokens come from.
package struct ResourceMetadata: Sendable {
    private let identifier: String
    /// For users; nil for the gateway's own.
    private let name: String?
    private let scopes: [String]
    private let issuer: String

    /// The document that the server of an app's resource publishes.
    package init(of resource: ProtectedResource, issuer: String) {
        (identifier, name, self.issuer) = (resource.identifier, resource.name, issuer)
        scopes = resource.scopes.keys.sorted()
    }

    /// The document of a part of the gateway's own API; scopes count at UserInfo alone.
    package init(of resource: OwnResource, issuer: String) {
        (identifier, name, self.issuer) = (resource.identifier(issuer: issuer), nil, issuer)
        scopes = resource.audience == nil ? TokenScope.own.filter { $0 != .offlineAccess }.map(\.rawValue) : []
    }

    /// Never with `offline_access`: that is between an app and the gateway (MCP authorization).
    package var json: JSONObject {
        var json: JSONObject = ["resource": .string(identifier), "authorization_servers": [.string(issuer)]]
        json["resource_name"] = name.map(JSON.string)
        if !scopes.isEmpty { json["scopes_supported"] = .array(scopes.map(JSON.string)) }
        json["bearer_methods_supported"] = ["header"]
        json["dpop_signing_alg_values_supported"] = .array(KeyProofs.algorithms.map(JSON.string))
        return json
    }
}
