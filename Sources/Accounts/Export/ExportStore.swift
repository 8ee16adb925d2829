package import Foundation
package import Postgres
package import Vocabulary

/// All data of an account, as one JSON document.
///
/// It is read in one snapshot, so that an account that changes meanwhile is contained completely or not at all. It is
/// read in portions of a few hundred rows, so that a long history costs no memory.
package struct ExportStore: Sendable {
    private static let pageSize = 500
    /// Exports at once, then one per ``periodMilliseconds``, which is five per hour: each reads the whole history of
    /// the account.
    private static let burst = 5
    private static let periodMilliseconds = 720_000
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Checks whether the export may start, and writes its audit row.
    package enum Permission: Sendable, Equatable {
        case granted
        case throttled(seconds: Int)
        case refused(RefusalWord)
    }

    /// Requested by the user, in a session.
    package func begin(_ account: UUID, session: UUID, client: String, caller: Caller) async throws -> Permission {
        try await begin(
            """
            select outcome, wait
              from begin_export(\(account), null, null, \(session), \(RecentProof.seconds), \(Self.burst), \(Self.periodMilliseconds),
                                \(client), \(caller.address), \(caller.requestID))
            """)
    }

    private func begin(_ statement: SQL) async throws -> Permission {
        try await pool.withConnection { connection in
            let row = try connection.row(statement)
            return switch try row.outcome(0, ExportWord.self, RefusalWord.self) {
            case .own(.granted): .granted
            case .own(.wait): .throttled(seconds: Int((try row.value(1, as: Double.self)).rounded(.up)))
            case .refused(let word): .refused(word)
            }
        }
    }

    /// Writes the document; false if the account doesn't exist.
    ///
    /// - Parameter timeout: the time limit, instead of the pool's own.
    package func write(_ account: UUID, to file: SpoolFile, timeout: Duration? = nil) async throws -> Bool {
        try await pool.withTransaction(timeout: timeout) { connection in
            try connection.execute("set transaction isolation level repeatable read, read only")
            let accounts = try Self.accounts(of: account, connection)
            guard accounts.contains(account) else { return false }
            let absorbed = accounts.filter { $0 != account }
            try file.write("{\"format\":1")
            for section in ExportSection.all {
                try file.write(",\n\"\(section.name)\":")
                switch section.scope {
                case .account: try Self.writeOnly(section, account, connection, file)
                case .person: try Self.write(section, [account] + absorbed, connection, file)
                case .absorbed: try Self.write(section, absorbed, connection, file)
                }
            }
            try file.write("}\n")
            try file.flush()
            return true
        }
    }

    /// The account and all accounts merged into it, directly or indirectly.
    private static func accounts(of account: UUID, _ connection: Connection) throws -> [UUID] {
        try connection.query(
            """
            with recursive person (id) as (
                select id from accounts where id = \(account)
                 union select a.id from accounts a join person p on a.merged_into = p.id)
            select id from person order by id
            """
        ).map { try $0.value(0) }
    }

    private static func writeOnly(
        _ section: ExportSection, _ account: UUID, _ connection: Connection, _ file: SpoolFile
    ) throws {
        try file.write(try connection.queryOne(section.query("", account))?.value(0, as: String.self) ?? "null")
    }

    /// One account after the other: an index delivers the rows of each in output order.
    private static func write(
        _ section: ExportSection, _ accounts: [UUID], _ connection: Connection, _ file: SpoolFile
    ) throws {
        var mark = "[\n"
        for account in accounts {
            try connection.execute(section.query("declare export_rows no scroll cursor for ", account))
            try fetch(connection) { row in
                try file.write(mark)
                try file.write(try row.value(0, as: String.self))
                mark = ",\n"
            }
            try connection.execute("close export_rows")
        }
        try file.write(mark == ",\n" ? "\n]" : "[]")
    }

    private static func fetch(_ connection: Connection, _ write: (Row) throws -> Void) throws {
        var count = 0
        repeat {
            let rows = try connection.query("fetch \(unsafeSQL: "\(pageSize)") from export_rows")
            for row in rows { try write(row) }
            count = rows.count
        } while count == pageSize
    }
}

/// The outcomes of requesting an export (`begin_export`).
enum ExportWord: String, OutcomeWord {
    static let functions = ["begin_export"]

    case granted, wait
}
