/// The check of the database schema at start.
package enum Schema {
    package enum Problem: Error, CustomStringConvertible {
        case behind([String])
        case oldFunctions([String])

        package var description: String {
            switch self {
            case .behind(let files):
                "The database lacks \(files.count) migrations (\(files.prefix(3).joined(separator: ", "))…). Run: gateway migrate"
            case .oldFunctions(let paths):
                "The database has older texts of \(paths.count) functions (\(paths.prefix(3).joined(separator: ", "))…). Run: gateway migrate"
            }
        }
    }

    /// Refuses a schema with missing migrations; a newer one belongs to a neighbouring version and works.
    package static func requireCurrent(_ pool: ConnectionPool) async throws {
        let migrator = try Migrator.ofThisProgram()
        let report = try await pool.withConnection { connection in try migrator.pending(on: connection) }
        guard report.applied.isEmpty else { throw Problem.behind(report.applied) }
        guard report.functions.isEmpty else { throw Problem.oldFunctions(report.functions) }
    }
}
