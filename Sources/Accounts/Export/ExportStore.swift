package import Foundation
package import Postgres

/// Everything that is held about a person, as one JSON document.
///
/// It is read in one snapshot, so that an account that is changed, merged or deleted meanwhile is in it whole or not at all;
/// and a few hundred rows at a time, so that a long history costs no memory.
package struct ExportStore: Sendable {
    private static let pageSize = 500
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Whether the export may begin, and the audit row that it did.
    package enum Permission: Sendable, Equatable {
        case granted
        case throttled(seconds: Int)
        /// The outcome of `begin_export`.
        case refused(String)
    }

    /// Asked for by the person, in a session.
    package func begin(_ account: UUID, session: UUID, client: String, caller: Caller) async throws -> Permission {
        try await begin(
            """
            select outcome, wait
              from begin_export(\(account), null, null, \(session), \(client), \(caller.address), \(caller.requestID))
            """)
    }

    private func begin(_ statement: SQL) async throws -> Permission {
        try await pool.withConnection { connection in
            guard let row = try connection.queryOne(statement) else { return .refused("not_found") }
            switch try row.value(0, as: String.self) {
            case "granted": return .granted
            case "wait": return .throttled(seconds: Int((try row.value(1, as: Double?.self) ?? 1).rounded(.up)))
            case let outcome: return .refused(outcome)
            }
        }
    }

    /// Writes the document; false where the account is gone.
    ///
    /// - Parameter timeout: how long it may take, instead of the pool's own time.
    package func write(_ account: UUID, to file: SpoolFile, timeout: Duration? = nil) async throws -> Bool {
        try await pool.withTransaction(timeout: timeout) { connection in
            try connection.execute("set transaction isolation level repeatable read, read only")
            guard try connection.queryOne("select from accounts where id = \(account)") != nil else { return false }
            try file.write("{\"format\":1")
            for section in ExportSection.all {
                try file.write(",\n\"\(section.name)\":")
                try Self.write(section, account, connection, file)
            }
            try file.write("}\n")
            try file.flush()
            return true
        }
    }

    private static func write(
        _ section: ExportSection, _ account: UUID, _ connection: Connection, _ file: SpoolFile
    ) throws {
        guard !section.isSingle else {
            try file.write(try connection.queryOne(section.query("", account))?.value(0, as: String.self) ?? "null")
            return
        }
        var (mark, count) = ("[\n", 0)
        try connection.execute(section.query("declare export_rows no scroll cursor for ", account))
        repeat {
            let rows = try connection.query("fetch \(unsafeSQL: "\(pageSize)") from export_rows")
            for row in rows {
                try file.write(mark)
                try file.write(try row.value(0, as: String.self))
                mark = ",\n"
            }
            count = rows.count
        } while count == pageSize
        try connection.execute("close export_rows")
        try file.write(mark == ",\n" ? "\n]" : "[]")
    }
}
