public import GatewayClient
import Settings

/// The sign-in of the app.
public struct Login: Sendable {
    private let client: GatewayClient

    /// A sign-in at a gateway.
    public init(client: GatewayClient) { self.client = client }

    /// The result in words.
    public func signIn(password: String) async -> String {
        do {
            switch try await client.signIn(.password(username: Settings.username, password: password)) {
            case .signedIn(let session): return "Hello, \(session.account.email ?? "you")."
            case .next: return "One more question."
            }
        } catch {
            return error.localizedDescription
        }
    }
}
