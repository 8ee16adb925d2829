import Foundation
import GatewayClient

@MainActor
final class Login {
    let client: GatewayClient
    var session: Session?
    var step: Step?
    var message = ""

    init(gateway: URL, backEnd: URL) {
        client = GatewayClient(url: gateway, clientID: "app", backEnds: [backEnd])
    }

    func start() async throws { session = try await client.session() }

    func signIn(name: String, password: String) async {
        await show { try await self.client.signIn(.password(username: name, password: password)) }
    }

    private func show(_ call: () async throws -> SignInResult) async {
        do {
            switch try await call() {
            case .signedIn(let session): (self.session, step, message) = (session, nil, "")
            case .next(let step): self.step = step
            }
        } catch {
            message = error.localizedDescription
        }
    }
}
