import Foundation
import GatewayClient

/// Code of `docs/start/passkeys.md` and `docs/start/add-microsoft.md` that needs none of Apple's frameworks.
@MainActor
final class StartPages {
    private let client: GatewayClient
    private(set) var session: Session?
    private(set) var step: Step?
    private(set) var visit: BrowserVisit?

    init(client: GatewayClient) { self.client = client }

    func signIn(name: String, password: String) async throws {
        switch try await client.signIn(.microsoft(username: name, password: password)) {
        case .signedIn(let session): show(session)
        case .next(.continueInBrowser(let visit)): openBrowser(visit)
        case .next(let step): show(step)
        }
    }

    private func show(_ session: Session) { self.session = session }

    private func show(_ step: Step) { self.step = step }

    private func openBrowser(_ visit: BrowserVisit) { self.visit = visit }
}
