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
}
