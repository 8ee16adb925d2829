import Accounts
import Cryptography
package import Foundation
import JSON
package import Postgres

/// Where every operation of an operator's goes through: who it is, whether the role is enough, and in whose words.
///
/// The check, the change and its audit rows are one transaction, so that a role or session that is taken away meanwhile
/// either comes too late or stops it.
package struct AdminDesk: Sendable {
    let pool: ConnectionPool
    /// Reads of people that an operator may do in a minute; nil for any number.
    private let readsPerMinute: Int?
    private let now: @Sendable () -> Date

    /// - Parameter now: what the database's clock shows; the ids of what is made here are dated by it.
    package init(
        pool: ConnectionPool, readsPerMinute: Int? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.pool, self.readsPerMinute, self.now) = (pool, readsPerMinute, now)
    }

    /// An id for something new.
    func newID() -> UUID { UUID.v7(at: now(), random: .system) }

    /// Does something that changes nothing.
    func look<Value: Sendable>(
        _ deed: AdminDeed, _ actor: AdminActor, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction { connection in
            try Self.admit(deed, actor, changing: [], connection)
            return try body(connection)
        }
    }

    /// What an operator was shown.
    struct View: Sendable {
        /// Of the audit row.
        let action: String
        let account: UUID?
        var detail: JSON = [:]
    }

    /// How far back the reads of one request are looked for, in seconds: none takes longer.
    private static let requestSeconds: Int32 = 10

    /// Shows something of people: it counts against the operator's limit, and leaves a row for each view.
    ///
    /// - Parameters:
    ///   - isCounted: false for the answer to a change, which was done already.
    ///   - views: what was shown, of the value.
    /// - Throws: `throttled` beyond the limit.
    func view<Value: Sendable>(
        _ deed: AdminDeed, _ actor: AdminActor, isCounted: Bool = true,
        _ views: @escaping @Sendable (Value) -> [View], _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        if isCounted { try await count(actor) }
        return try await look(deed, actor) { connection in
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

    /// Takes one from what an operator may read; in a transaction of its own, so that reads don't wait for each other.
    func count(_ actor: AdminActor) async throws {
        guard let readsPerMinute, let account = actor.account else { return }
        let buckets = [Array(SHA256.hash("operator reads \(account.uuidString)").prefix(16))]
        let (bursts, periods) = ([readsPerMinute], [max(60_000 / readsPerMinute, 1)])
        let wait = try await pool.withConnection { connection in
            try connection.queryOne("select take_from_throttles(\(buckets), \(bursts), \(periods))")?
                .value(0, as: Double.self) ?? 0
        }
        guard wait <= 0 else { throw AdminRefusal.throttled(retryAfter: max(Int(wait.rounded(.up)), 1)) }
    }

    /// Changes accounts; `body` throws a refusal where nothing is to stay.
    func change<Value: Sendable>(
        _ deed: AdminDeed, _ actor: AdminActor, of accounts: [UUID], because reason: Reason,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction { connection in
            try Self.admit(deed, actor, changing: accounts, connection)
            _ = try connection.queryOne("select act_as(\(actor.account), \(reason.text))")
            return try body(connection)
        }
    }

    /// Refuses what a change would be refused for by who asks for it, and changes nothing.
    func check(_ deed: AdminDeed, _ actor: AdminActor, of accounts: [UUID]) async throws {
        try await pool.withTransaction { connection in
            try Self.admit(deed, actor, changing: accounts, connection)
        }
    }

    private static func admit(
        _ deed: AdminDeed, _ actor: AdminActor, changing accounts: [UUID], _ connection: Connection
    ) throws {
        let recent = deed.needsStepUp ? RecentProof.seconds : nil
        let row = try connection.row(
            """
            select operator_refusal(\(actor.account), \(actor.session), \(deed.least.rawValue), \(recent), \(accounts))
            """)
        try row.throwRefusal()
    }
}
