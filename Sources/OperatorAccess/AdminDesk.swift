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
            if let words = actor.words(nil) {
                _ = try connection.queryOne("select act_as(null, \(words))")
            }
            return try body(connection)
        }
    }

    /// The data that an operator was shown.
    package struct View: Sendable {
        /// Of the audit row.
        let action: String
        package let account: UUID?
        var detail: JSON = [:]

        package init(action: String, account: UUID?, detail: JSON = [:]) {
            (self.action, self.account, self.detail) = (action, account, detail)
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
            for view in views(value) {
                _ = try connection.queryOne(
                    """
                    select note_view(\(view.action), \(view.account), \(actor.account), \(actor.address), \(actor.requestID),
                                     \(Self.requestSeconds), \(JSONText(view.detail.text)))
                    """)
            }
            return value
        }
    }

    /// Charges the operator's read budget in a separate transaction, so that reads don't wait for each other.
    package func count(_ actor: AdminActor) async throws {
        guard let readsPerMinute, let budget = actor.budget else { return }
        let buckets = [Array(SHA256.hash("operator reads \(budget)").prefix(16))]
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
            _ = try connection.queryOne("select act_as(\(actor.account), \(actor.words(reason?.text)))")
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
        let refusal: SQL =
            if let key = actor.keyID {
                "select access_key_refusal(\(key), \(action.least.rawValue), \(accounts))"
            } else {
                """
                select operator_refusal(\(actor.account), \(actor.session), \(action.least.rawValue), \(recent), \(accounts))
                """
            }
        try connection.row(refusal).throwRefusal()
    }

    /// A document from the database: large enough for an old account.
    package static func document(_ text: String?) throws -> JSON {
        guard let text else { throw AdminRefusal.notFound }
        return try JSON(parsing: text, limits: documentLimits)
    }

    private static let documentLimits = JSONLimits(bytes: 16 * 1024 * 1024, members: 500_000, numberLength: 64)
}
