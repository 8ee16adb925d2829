import Foundation

/// Updates the schema in one transaction: numbered migrations, forward only, and changed functions.
///
/// Several servers may start at once: a lock serializes them, and the others find nothing to do.
///
/// Tables come before functions, which use their types; triggers come after functions. So a migration named
/// `.after_functions` runs last.
///
/// The table `schema_migrations` stores applied files and their SHA-256. A newer database is left unchanged, because
/// two neighbouring versions run side by side during an update.
package struct Migrator: Sendable {
    /// The result of a run.
    package struct Report: Sendable, Equatable {
        /// Files applied by this run, in order.
        package let applied: [String]
        /// Functions replaced by this run, as paths below `Functions/`.
        package let functions: [String]
        /// Numbers in the database that this program doesn't know; the database is newer.
        package let unknown: [Int]

        package init(applied: [String], functions: [String] = [], unknown: [Int]) {
            self.applied = applied
            self.functions = functions
            self.unknown = unknown
        }

        package var isCurrent: Bool { applied.isEmpty && functions.isEmpty }
    }

    /// Any number works if every version of the program uses it: "gateway" in ASCII.
    private static let lockKey = 0x67_61_74_65_77_61_79
    private let migrations: [Migration]
    let functions: [FunctionFile]
    private let patience: MigrationPatience

    /// - Throws: ``PostgresError/migration(_:)`` for a duplicate or missing number.
    package init(
        migrations: [Migration], functions: [FunctionFile] = [], patience: MigrationPatience = .standard
    ) throws(PostgresError) {
        self.migrations = migrations.sorted { $0.number < $1.number }
        (self.functions, self.patience) = (functions, patience)
        for (place, migration) in self.migrations.enumerated() {
            if place > 0, self.migrations[place - 1].number == migration.number {
                let files = [self.migrations[place - 1].file, migration.file].sorted()
                throw .migration(.duplicateNumber(migration.number, files: files))
            }
            guard migration.number == place + 1 else {
                throw .migration(.missingNumber(place + 1, before: migration.file))
            }
        }
    }

    /// The migrations of this program.
    package static func bundled() throws(PostgresError) -> [Migration] {
        do {
            return try Migration.read(folder: Bundle.module.bundlePath + "/Schema")
        } catch {
            throw .migration(error)
        }
    }

    /// The functions of this program.
    package static func bundledFunctions() throws(PostgresError) -> [FunctionFile] {
        do {
            return try FunctionFile.read(folder: Bundle.module.bundlePath + "/Functions")
        } catch {
            throw .migration(error)
        }
    }

    /// The files that bring a database to the schema of this program.
    package static func ofThisProgram() throws(PostgresError) -> Migrator {
        try Migrator(migrations: bundled(), functions: bundledFunctions())
    }

    /// Applies missing files, on a separate connection.
    ///
    /// Several attempts, each on a connection of its own, if other transactions use the tables.
    /// - Parameter waiting: called with the file after an attempt that gave up.
    @discardableResult
    package func migrate(
        _ configuration: PostgresConfiguration, waiting: (_ file: String) -> Void = { _ in }
    ) async throws -> Report {
        for attempt in 1..<patience.attempts {
            do {
                return try await SingleConnection.run(configuration) {
                    try migrate(on: $0, lockTimeout: patience.lockTimeout(of: attempt))
                }
            } catch PostgresError.migration(.locked(let file)) {
                waiting(file)
                try await Task.sleep(for: patience.pause)
            }
        }
        return try await SingleConnection.run(configuration) { try migrate(on: $0) }
    }

    /// Applies all missing files, or none, in one attempt.
    ///
    /// - Parameter lockTimeout: nil for the longest.
    package func migrate(on connection: Connection, lockTimeout: Duration? = nil) throws -> Report {
        try connection.transaction { connection in
            // Building an index or waiting for another run may take longer than the statements of requests.
            try connection.execute("select set_config('statement_timeout', '0', true)")
            try connection.execute("select pg_advisory_xact_lock(\(Self.lockKey))")
            let milliseconds = String((lockTimeout ?? patience.lockTimeout).millisecondsAtLeastOne)
            try connection.execute("select set_config('lock_timeout', \(milliseconds), true)")
            try connection.executeScript(Self.table + ";" + Self.functionTable)
            let (missing, unknown) = try compare(on: connection)
            for migration in missing where !migration.comesAfterFunctions { try apply(migration, on: connection) }
            let changed = try changedFunctions(on: connection)
            try replace(changed, on: connection)
            for migration in missing where migration.comesAfterFunctions { try apply(migration, on: connection) }
            return Report(applied: missing.map(\.file), functions: changed.map(\.path), unknown: unknown)
        }
    }

    /// The files that would be applied; changes nothing.
    package func pending(on connection: Connection) throws -> Report {
        let exists = try connection.queryOne("select to_regclass('schema_migrations') is not null")?.value(
            0, as: Bool.self)
        guard exists == true else {
            if let schema = try hiddenSchema(on: connection) { throw PostgresError.migration(.hiddenSchema(schema)) }
            return Report(applied: migrations.map(\.file), functions: functions.map(\.path), unknown: [])
        }
        let (missing, unknown) = try compare(on: connection)
        return Report(
            applied: missing.map(\.file), functions: try pendingFunctions(on: connection).map(\.path), unknown: unknown)
    }

    /// The schema with our tables that the role can't access; if it can access none, `public`.
    private func hiddenSchema(on connection: Connection) throws -> String? {
        try connection.queryOne(
            """
            select coalesce(
                (select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where c.relname = 'schema_migrations' and not has_schema_privilege(n.oid, 'usage') limit 1),
                case when current_schema() is null then 'public' end)
            """)?.value(0, as: String?.self) ?? nil
    }

    private func pendingFunctions(on connection: Connection) throws -> [FunctionFile] {
        let exists = try connection.queryOne("select to_regclass('schema_functions') is not null")?.value(
            0, as: Bool.self)
        return exists == true ? try changedFunctions(on: connection) : functions
    }

    private static let table = """
        create table if not exists schema_migrations (
            number     integer primary key,
            name       text not null,
            checksum   bytea not null,
            applied_at timestamptz not null default now()
        )
        """

    private func compare(on connection: Connection) throws -> (missing: [Migration], unknown: [Int]) {
        var applied: [Int: (name: String, checksum: [UInt8])] = [:]
        for row in try connection.query("select number, name, checksum from schema_migrations") {
            applied[try row.value(0)] = (try row.value(1), try row.value(2))
        }
        for migration in migrations {
            guard let name = applied[migration.number]?.name, name != migration.file else { continue }
            throw PostgresError.migration(.otherSchema(applied: name, file: migration.file))
        }
        let last = applied.keys.max() ?? 0
        let missing = try migrations.filter { migration in
            guard let checksum = applied[migration.number]?.checksum else {
                guard migration.number > last else { throw PostgresError.migration(.skipped(file: migration.file)) }
                return true
            }
            guard try checksum == self.checksum(of: migration, on: connection) else {
                throw PostgresError.migration(.changed(file: migration.file))
            }
            return false
        }
        return (missing, applied.keys.filter { $0 > migrations.count }.sorted())
    }

    /// The server computes the digest, so that no other library is needed here.
    private func checksum(of migration: Migration, on connection: Connection) throws -> [UInt8] {
        try connection.queryOne("select sha256(convert_to(\(migration.sql), 'UTF8'))")?.value(0) ?? []
    }

    private func apply(_ migration: Migration, on connection: Connection) throws {
        let checksum = try checksum(of: migration, on: connection)
        try run(migration.sql, of: migration.file, on: connection)
        try connection.execute(
            """
            insert into schema_migrations (number, name, checksum)
            values (\(Int32(migration.number)), \(migration.file), \(checksum))
            """)
    }

    /// Runs a file inside the transaction.
    func run(_ sql: String, of file: String, on connection: Connection) throws {
        do {
            try connection.executeScript(sql)
        } catch PostgresError.statement(.lockNotAvailable, _, _), PostgresError.statement(.deadlockDetected, _, _) {
            throw PostgresError.migration(.locked(file: file))
        } catch PostgresError.statement(let state, _, let message) {
            throw PostgresError.migration(.failed(file: file, state, message: message))
        }
        guard connection.handle.isInTransaction else {
            throw PostgresError.migration(.endedTransaction(file: file))
        }
    }
}
