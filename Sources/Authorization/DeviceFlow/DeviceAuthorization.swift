package import Clients
import Vocabulary

/// A checked request of a device for a session (RFC 8628 §3.1, RFC 8707).
package struct DeviceAuthorization: Sendable {
    package let client: Client
    /// No scope of the gateway without `openid`.
    package let access: GrantedAccess

    /// - Parameter catalogue: the resources of all clients.
    /// - Throws: the rejection of a client that may not use the device flow, or an ``AuthorizationFault``.
    package init(
        _ parameters: AuthorizationParameters, of client: Client, among catalogue: ResourceCatalogue = .empty
    ) throws {
        guard client.usesDeviceFlow else { throw Rejection.device(.clientNotAllowed) }
        try parameters.check()
        self.client = client
        let asked = try AskedAccess(parameters, by: client, among: catalogue)
        access = GrantedAccess(scopes: asked.tokens.scopes, resources: asked.resources)
    }
}
