import Foundation
package import Postgres

/// Where every operation of an operator's goes through: who it is, whether the role is enough, and in whose words.
///
/// The check, the change and its audit rows are one transaction, so that a role or session that is taken away meanwhile
/// either comes too late or stops it.
package struct AdminDesk: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Does something that changes nothing.
    func look<Value: Sendable>(
        _ deed: AdminDeed, _ actor: AdminActor, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction { connection in
            try Self.admit(deed, actor, changing: [], connection)
            return try body(connection)
        }
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
        let row = try connection.queryOne(
            """
            select operator_refusal(\(actor.account), \(actor.session), \(deed.least.rawValue), \(deed.needsStepUp), \(accounts))
            """)
        try refuse(try row?.value(0, as: String?.self))
    }

    /// Throws what an SQL function refused with; nil is no refusal.
    static func refuse(_ word: String?, parts: [String] = []) throws {
        guard let word else { return }
        guard let refusal = AdminRefusal(word: word, parts: parts) else { throw UnknownOutcome(word: word) }
        throw refusal
    }
}

/// An SQL function and its caller disagree.
struct UnknownOutcome: Error, CustomStringConvertible {
    let word: String
    var description: String { "the outcome \(word) is not known" }
}
