import Accounts
package import Cryptography
package import Foundation
package import Logging
package import Postgres

/// The newest pending flow of a name, for protocols with calls that name the user instead of the flow.
///
/// The database has a keyed digest of the name. An unknown name is remembered like a known one.
package struct FlowNames: Sendable {
    /// The flow that a later call continues.
    package enum Purpose: String, Sendable {
        case signUp = "sign_up"
        case passwordReset = "password_reset"
        case emailAddress = "email"
        case phoneNumber = "phone"
        case totp, passkey
        /// The name is that of a device.
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

    private let pool: ConnectionPool
    private let flows: FlowTokens
    private let keys: [[UInt8]]
    private let logger: Logger

    package init(pool: ConnectionPool, keys: MasterKeys, logger: Logger) {
        (self.pool, flows, self.logger) = (pool, FlowTokens(keys: keys), logger)
        self.keys = keys.derivedAll("flow name")
    }

    /// Remembers a flow, in place of an earlier one with the same purpose.
    ///
    /// - Parameter name: a sign-in name, or an account's id.
    package func remember(
        _ pending: PendingStep, as purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) {
        let flow = try flows.parse(pending.flow, purpose.kind).id
        let digest = digest(purpose, name, client, keys[0])
        let seconds = max(pending.expiresIn, FlowService.wholeLife)
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                _ = try connection.execute(
                    """
                    insert into flow_names (name, flow_id, expires_at)
                    values (\(digest), \(flow), now() + make_interval(secs => \(Int32(seconds))))
                    on conflict (name) do update set flow_id = excluded.flow_id, expires_at = excluded.expires_at
                    """)
            }
        }
    }

    /// The token of the newest flow.
    ///
    /// - Throws: `flowExpired` without one.
    package func flow(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> String {
        guard let found = try await id(for: purpose, of: name, client: client) else { throw .flowExpired }
        return flows.text(FlowReference(found, purpose.kind, client: client.id))
    }

    /// Whether a name has a pending flow.
    package func hasFlow(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> Bool {
        try await id(for: purpose, of: name, client: client) != nil
    }

    /// The id of the newest flow; nil without one.
    package func id(
        for purpose: Purpose, of name: String, client: Client
    ) async throws(Rejection) -> UUID? {
        let digests = keys.map { digest(purpose, name, client, $0) }
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    "select flow_id from flow_names where name = any (\(digests)) and expires_at > now() limit 1"
                )?.value(0)
            }
        }
    }

    private func digest(_ purpose: Purpose, _ name: String, _ client: Client, _ key: [UInt8]) -> [UInt8] {
        let named = [purpose.rawValue, client.id, SignInName.throttleKey(name)].joined(separator: "\u{0}")
        return Array(HMACSHA256.code(Array(named.utf8), key: key).prefix(16))
    }
}
