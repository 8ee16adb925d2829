import Clients
import FoundationEssentials
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Asks for a bot check before a sign-up, a reset or a code, where the app's policy demands one.
///
/// The requests of a network are counted only for apps with a budget: one statement each. Without an answer of the
/// service the request passes, because an outage must not stop sign-ups. The throttles still apply.
package struct BotGate: Sendable {
    private let widget: BotWidget
    private let checks: BotChecks
    private let pool: ConnectionPool
    private let throttles: Throttles
    private let freePerHour: Int
    /// The host of our own pages.
    private let ownHost: String
    private let logger: Logger

    /// - Parameter freePerHour: the requests of a network without a check: the burst, and the number regained per hour.
    package init(
        widget: BotWidget, checks: BotChecks, pool: ConnectionPool, throttles: Throttles, freePerHour: Int,
        publicURL: String, logger: Logger
    ) {
        self.widget = widget
        (self.checks, self.pool, self.throttles) = (checks, pool, throttles)
        (self.freePerHour, self.logger) = (freePerHour, logger)
        ownHost = Self.host(of: publicURL) ?? ""
    }

    /// The widget of an app's pages; nil if the app asks for no checks.
    func widget(for client: Client) -> BotWidget? { client.botCheck == .off ? nil : widget }

    /// Lets a request pass, or asks for a check.
    ///
    /// - Throws: `botCheckRequired` without a token, `botCheckFailed` for an invalid or used one.
    func admit(_ request: SignInRequest) async throws(Rejection) {
        let policy = request.client.botCheck
        let isBeyondBudget = policy.counts ? try await isBeyondBudget(request.caller.address) : false
        guard policy.demandsCheck(isBeyondBudget: isBeyondBudget) else { return }
        guard let token = request.botToken else { throw .botCheckRequired(widget) }
        let hosts = hosts(of: request.client)
        switch await checks.verdict(on: token, from: request.caller.address, hosts: hosts) {
        case .passed, .unavailable: return
        case .refused: throw .botCheckFailed(widget)
        }
    }

    /// Counts a request of a network.
    private func isBeyondBudget(_ address: String) async throws(Rejection) -> Bool {
        let price = throttles.uncheckedRequest(address: address, perHour: freePerHour)
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price)) > 0").map { try $0.value(0) } ?? false
            }
        }
    }

    /// The hosts that may show the widget: of our pages, and of the app's own websites.
    private func hosts(of client: Client) -> Set<String> {
        Set([ownHost] + client.origins.compactMap(Self.host))
    }

    private static func host(of address: String) -> String? { URLComponents(string: address)?.host?.lowercased() }
}
