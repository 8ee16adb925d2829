import Cryptography
package import Foundation
package import JSON
package import Postgres
import Vocabulary

/// The gateway of every operator action: identifies the operator, checks the role, and records the reason.
///
/// The check, the change and its audit rows share one transaction, so a concurrent withdrawal of the role or session
/// either comes too late or stops the change.
package struct AdminDesk: Sendable {
    package let pool: ConnectionPool
    /// The number of reads of personal data per minute; nil for no limit.
    private let readsPerMinute: Int?
    private let now: @Sendable () -> Date

    /// - Parameter now: the database's clock, which dates new ids.
    package init(
        pool: ConnectionPool, readsPerMinute: Int? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.pool, self.readsPerMinute, self.now) = (pool, readsPerMinute, now)
    }

    /// An id for a new object.
    package func newID() -> UUID { UUID.v7(at: now(), random: .system) }

    /// Performs an action that changes nothing.
    package func look<Value: Sendable>(
        _ action: AdminAction, _ actor: AdminActor, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction { connection in
            try Self.admit(action, actor, changing: [], connection)
            return try body(connection)
        }
    }

    /// The data that an operator was shown.
    package struct View: Sendable {
        /// Of the audit row.
        let action: String
        package let account: UUID?
        var detail: JSON = [:]
        /// Every account in the data.
        let shown: Set<UUID>

        package init(action: String, account: UUID) {
            (self.action, self.account, shown) = (action, account, [account])
        }

        /// - Parameter shown: the found accounts.
        package init(action: String, shown: [UUID], detail: JSON) {
            (self.action, account, self.detail, self.shown) = (action, nil, detail, Set(shown))
        }
    }

    /// The maximum age, in seconds, of reads that count as one request; no request takes longer.
    private static let requestSeconds: Int32 = 10

    /// Shows personal data: it counts for the operator's limit, and leaves a row per view.
    ///
    /// - Parameters:
    ///   - isCounted: false for the answer to a completed change.
    ///   - views: the shown data, from the value.
    /// - Throws: `throttled` beyond the limit.
    package func view<Value: Sendable>(
        _ action: AdminAction, _ actor: AdminActor, isCounted: Bool = true,
        _ views: @escaping @Sendable (Value) -> [View], _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        if isCounted { try await count(actor) }
        return try await look(action, actor) { connection in
            let value = try body(connection)
            let views = views(value)
            let shown = views.reduce(into: Set<UUID>()) { $0.formUnion($1.shown) }
            guard try shown.isSubset(of: Self.reached(Array(shown), by: actor, connection)) else {
                throw AdminRefusal.notFound
            }
            for view in views {
                _ = try connection.queryOne(
                    """
                    select note_view(\(view.action), \(view.account), \(actor.id), \(actor.address), \(actor.requestID),
                                     \(Self.requestSeconds), \(JSONText(view.detail.text)))
                    """)
            }
            return value
        }
    }

    /// Charges the operator's read budget in a separate transaction, so that reads don't wait for each other.
    package func count(_ actor: AdminActor) async throws {
        guard let readsPerMinute, let id = actor.id else { return }
        let buckets = [Array(SHA256.hash("operator reads \(id.uuidString)").prefix(16))]
        let (bursts, periods) = ([readsPerMinute], [max(60_000 / readsPerMinute, 1)])
        let wait = try await pool.withConnection { connection in
            try connection.queryOne("select take_from_throttles(\(buckets), \(bursts), \(periods))")?
                .value(0, as: Double.self) ?? 0
        }
        guard wait <= 0 else { throw AdminRefusal.throttled(retryAfter: max(Int(wait.rounded(.up)), 1)) }
    }

    /// Changes accounts; `body` throws a refusal to roll back.
    ///
    /// - Parameter reason: nil for a test message, which changes nothing.
    package func change<Value: Sendable>(
        _ action: AdminAction, _ actor: AdminActor, of accounts: [UUID], because reason: Reason?,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction { connection in
            try Self.admit(action, actor, changing: accounts, connection)
            _ = try connection.queryOne("select act_as(\(actor.id), \(reason?.text))")
            return try body(connection)
        }
    }

    /// Checks whether a change by this operator would be refused, without changing anything.
    package func check(_ action: AdminAction, _ actor: AdminActor, of accounts: [UUID]) async throws {
        try await pool.withTransaction { connection in
            try Self.admit(action, actor, changing: accounts, connection)
        }
    }

    private static func admit(
        _ action: AdminAction, _ actor: AdminActor, changing accounts: [UUID], _ connection: Connection
    ) throws {
        let recent = action.needsStepUp ? RecentProof.seconds : nil
        guard actor.keyID == nil || action.reach != .people else { throw AdminRefusal.outOfReach }
        let refusal: SQL =
            if let key = actor.keyID {
                "select access_key_refusal(\(key), \(action.least.rawValue), \(action.reach.rawValue), \(accounts))"
            } else {
                """
                select operator_refusal(\(actor.account), \(actor.session), \(action.least.rawValue), \(recent), \(accounts))
                """
            }
        try connection.row(refusal).throwRefusal()
    }

    /// The accounts among these that the actor may see: all for an operator, the reached ones for an access key.
    package static func reached(_ accounts: [UUID], by actor: AdminActor, _ connection: Connection) throws -> Set<UUID>
    {
        guard let key = actor.keyID, !accounts.isEmpty else { return Set(accounts) }
        let rows = try connection.query("select id from reached_accounts(\(key)) where id = any (\(accounts))")
        return Set(try rows.map { try $0.value(0) })
    }

    /// A document from the database: large enough for an old account.
    package static func document(_ text: String?) throws -> JSON {
        guard let text else { throw AdminRefusal.notFound }
        return try JSON(parsing: text, limits: documentLimits)
    }

    private static let documentLimits = JSONLimits(bytes: 16 * 1024 * 1024, members: 500_000, numberLength: 64)
}
