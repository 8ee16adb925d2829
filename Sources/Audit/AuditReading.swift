import Cryptography
import Foundation
import JSON
package import OperatorAccess
import Postgres

/// The audit log for operators, with access control.
package struct AuditReading: Sendable {
    private let desk: AdminDesk
    private let log: AuditLog

    package init(desk: AdminDesk) {
        self.desk = desk
        log = AuditLog(pool: desk.pool)
    }

    package func page(_ filter: AuditFilter, before cursor: AuditCursor?, limit: Int, by actor: AdminActor) async throws
        -> AuditPage
    {
        try await desk.count(actor)
        try await requireAccess(of: actor)
        let page = try await log.page(filter, before: cursor, limit: min(max(limit, 1), AuditLog.largestPage))
        try await note(.pages, filter, goesOn: cursor != nil, by: actor)
        return page
    }

    /// The duration of a view in seconds, after which it leaves another row.
    private static let viewSeconds: Int32 = 3_600

    /// The way of reading; the raw value appears in the row of the view.
    private enum Way: String {
        case pages, stream
    }

    /// Records a view: one row per query, for any number of pages or events.
    private func note(_ way: Way, _ filter: AuditFilter, goesOn: Bool, by actor: AdminActor) async throws {
        // The filter values are not stored, as with searches; a digest identifies the query.
        let asked: JSONObject = [
            "way": .string(way.rawValue), "actor": actor.id.map { .string($0.text) } ?? .null,
            "filter": .object(filter.members),
        ]
        let detail: JSON = [
            "way": .string(way.rawValue), "filters": .array(filter.members.members.map { .string($0.name) }),
            "query": .string(Fingerprint.of(asked)),
        ]
        let seconds = goesOn ? Self.viewSeconds : nil
        try await desk.look(.showAudit, actor) { connection in
            _ = try connection.queryOne(
                """
                select note_audit_view(\(filter.account), \(seconds), \(actor.id), \(actor.address), \(actor.requestID),
                                       \(JSONText(detail.text)))
                """)
        }
    }

    /// Refuses operators without access, including those who lost it.
    package func requireAccess(of actor: AdminActor) async throws {
        try await desk.look(.showAudit, actor) { _ in }
    }

    /// The names of the accounts, operators and apps of rows.
    package func names(of events: [AuditEvent], by actor: AdminActor) async throws -> AuditNames {
        let accounts = Set(events.compactMap(\.accountID)).union(events.compactMap(\.actorID))
        let clients = Set(events.compactMap(\.clientID))
        guard !accounts.isEmpty || !clients.isEmpty else { return AuditNames() }
        return try await desk.look(.showAudit, actor) { connection in
            AuditNames(
                accounts: try AccountNames.read(accounts, connection), clients: try Self.clients(clients, connection))
        }
    }

    private static func clients(_ ids: Set<String>, _ connection: Connection) throws -> [String: String] {
        guard !ids.isEmpty else { return [:] }
        let rows = try connection.query("select id, name from clients where id = any (\(Array(ids)))")
        return Dictionary(
            try rows.map { (try $0.value(0, as: String.self), try $0.value(1, as: String.self)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// New rows as they are sealed; a listener must call ``requireAccess(of:)`` regularly.
    ///
    /// Opening it is a read and leaves a row.
    package func tail(_ filter: AuditFilter, after position: Int?, by actor: AdminActor) async throws -> AuditTail {
        try await desk.count(actor)
        try await note(.stream, filter, goesOn: position != nil, by: actor)
        // From here on, not from the first query, so that a reconnecting listener misses nothing.
        let start = if let position { position } else { try await log.headPosition() }
        return log.tail(filter, after: start)
    }

    /// All rows, oldest first, in batches; the log records the export.
    package func export(_ filter: AuditFilter, because reason: Reason, by actor: AdminActor) async throws -> AuditExport
    {
        try await desk.change(.exportAudit, actor, of: [], because: reason) { connection in
            _ = try connection.execute(
                """
                insert into audit_inbox (action, outcome, address, request_id)
                values ('audit_exported', 'done', \(actor.address), \(actor.requestID))
                """)
        }
        return log.export(filter)
    }
}
