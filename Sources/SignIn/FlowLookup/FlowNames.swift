package import Clients
package import Cryptography
package import Foundation
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// The pending flows of a name, for protocols with calls that name the user instead of the flow.
///
/// Anyone can begin a flow under a name, so no flow counts for being the newest. The code of a sign-up or a reset
/// selects the flow that it was sent for. The other flows have names that only their own caller has.
///
/// The database has a keyed digest of the name. An unknown name is remembered like a known one.
package final class FlowNames: Sendable {
    /// The kind of flow that a later call continues.
    package enum Purpose: String, Sendable {
        case signUp = "sign_up"
        case passwordReset = "password_reset"
        /// The name is that of a session.
        case emailAddress = "email"
        case phoneNumber = "phone"
        case totp, passkey
        /// The name is that of a device and its network.
        case device

        var kind: FlowKind {
            switch self {
            case .signUp: .signUp
            case .passwordReset, .device: .signIn
            case .emailAddress, .phoneNumber: .address
            case .totp, .passkey: .factor
            }
        }
    }

    /// The most flows of a name that one code is compared with.
    static let mostFlows = 20

    let pool: ConnectionPool
    let throttles: Throttles
    let codeKey: [UInt8]
    let logger: Logger
    private let flows: FlowTokens
    private let keys: [[UInt8]]

    package init(pool: ConnectionPool, keys: MasterKeys, throttles: Throttles, logger: Logger) {
        (self.pool, self.throttles, self.logger) = (pool, throttles, logger)
        flows = FlowTokens(keys: keys)
        codeKey = keys.derived("one-time code")
        self.keys = keys.derivedAll("flow name")
    }

    /// Remembers a flow beside the earlier ones with the same purpose.
    ///
    /// - Parameter name: a sign-in name, or the id of a session.
    package func remember(
        _ pending: PendingStep, as purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) {
        let flow = try flows.parse(pending.flow, purpose.kind).id
        let digest = digest(purpose, name, client, keys[0])
        let seconds = max(pending.expiresIn, FlowService.wholeLife)
        try await rejecting(logger) {
            _ = try await pool.execute(
                """
                insert into flow_names (name, flow_id, expires_at)
                values (\(digest), \(flow), now() + make_interval(secs => \(Int32(seconds))))
                on conflict (name, flow_id) do update set expires_at = excluded.expires_at
                """)
        }
    }

    /// The token of the flow that was begun last, for a name that only its caller has.
    ///
    /// - Throws: `flowExpired` without one.
    package func newestFlow(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> String {
        guard let flow = try await ids(for: purpose, of: name, client: client).last else { throw .flowExpired }
        return text(flow, purpose, client)
    }

    /// The token of the flow that was begun first: a later one never takes its place.
    ///
    /// - Throws: `flowExpired` without one.
    package func firstFlow(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> String {
        guard let flow = try await ids(for: purpose, of: name, client: client).first else { throw .flowExpired }
        return text(flow, purpose, client)
    }

    /// Whether a name has a pending flow.
    package func hasFlow(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> Bool {
        try await !ids(for: purpose, of: name, client: client).isEmpty
    }

    /// The ids of the pending flows, the oldest first.
    package func ids(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> [UUID] {
        let digests = keys.map { digest(purpose, name, client, $0) }
        return try await rejecting(logger) {
            try await pool.query(
                """
                select id from (
                    select f.id, f.created_at from flow_names n join flows f on f.id = n.flow_id
                     where n.name = any (\(digests)) and f.expires_at > now()
                     order by f.created_at desc, f.id desc limit \(Int32(Self.mostFlows))) newest
                 order by created_at, id
                """
            ) { try $0.value(0) }
        }
    }

    func text(_ flow: UUID, _ purpose: Purpose, _ client: Client) -> String {
        flows.text(FlowReference(flow, purpose.kind, client: client.id))
    }

    private func digest(_ purpose: Purpose, _ name: String, _ client: Client, _ key: [UInt8]) -> [UInt8] {
        let named = [purpose.rawValue, client.id, SignInName.throttleKey(name)].joined(separator: "\u{0}")
        return Array(HMACSHA256.code(Array(named.utf8), key: key).prefix(16))
    }
}
