package import Clients
import Vocabulary

/// A checked request of a device for a session (RFC 8628 §3.1).
package struct DeviceAuthorization: Sendable {
    package let client: Client
    /// No scope without `openid`.
    package let scopes: Set<TokenScope>

    /// - Throws: the rejection of a client that may not use the device flow, or an ``AuthorizationFault``.
    package init(_ parameters: AuthorizationParameters, of client: Client) throws {
        guard client.usesDeviceFlow else { throw Rejection.device(.clientNotAllowed) }
        try parameters.check()
        self.client = client
        scopes = try AuthorizationRequest.tokens(parameters).scopes
    }
}
