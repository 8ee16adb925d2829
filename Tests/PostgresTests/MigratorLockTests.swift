import TestSupport
import Testing

@testable import Postgres

@Suite("Migrations of tables in use")
struct MigratorLockTests {
    private static let files = [
        ("0001_step.sql", "create table a (id bigint)"), ("0002_step.sql", "alter table a add b text"),
    ]

    private func migrator(attempts: Int) throws -> Migrator {
        let patience = MigrationPatience(
            lockTimeout: .milliseconds(20), shortLockTimeout: .milliseconds(20), pause: .milliseconds(1),
            attempts: attempts)
        return try Migrator(migrations: try Self.files.map { try Migration(file: $0.0, sql: $0.1) }, patience: patience)
    }

    /// A database with the first file, whose table a transaction reads, as a backup does.
    private func withTableInUse(_ body: (TestDatabase, Connection) async throws -> Void) async throws {
        try await withTestDatabase(migrated: false) { database in
            let (file, sql) = Self.files[0]
            try await Migrator(migrations: [try Migration(file: file, sql: sql)]).migrate(database.configuration())
            let reader = try Connection(database.configuration())
            try reader.executeScript("begin; select from a")
            try await body(database, reader)
        }
    }

    @Test("a run waits in short attempts, and other readers go on between them")
    func attempts() async throws {
        try await withTableInUse { database, reader in
            let other = try Connection(database.configuration())
            var waits = 0
            let report = try await migrator(attempts: 1_000).migrate(database.configuration()) { file in
                #expect(file == "0002_step.sql")
                #expect(throws: Never.self) { try other.executeScript("select from a") }
                waits += 1
                if waits == 3 { #expect(throws: Never.self) { try reader.executeScript("commit") } }
            }
            #expect(report.applied == ["0002_step.sql"])
            #expect(waits == 3)
        }
    }

    @Test("a migration gives up before PostgreSQL ends a request that deadlocks with it")
    func deadlock() async throws {
        try await withTestDatabase(migrated: false) { database in
            let request = try Connection(database.configuration())
            try request.executeScript("create table a (); create table b ()")
            try request.executeScript("set deadlock_timeout = '3s'; begin; select from b")
            // The request waits first, so PostgreSQL would end it and not the migration.
            let sql = "alter table a add n int; select pg_sleep(0.3); alter table b add n int"
            let patience = MigrationPatience(
                lockTimeout: .seconds(60), shortLockTimeout: .milliseconds(50), pause: .seconds(1), attempts: 4)
            let migrator = try Migrator(
                migrations: [try Migration(file: "0001_step.sql", sql: sql)], patience: patience)
            async let migration = migrator.migrate(database.configuration())
            let watcher = try Connection(database.configuration())
            _ = try await poll {
                try watcher.queryOne(
                    "select from pg_locks where relation = 'a'::regclass and mode = 'AccessExclusiveLock' and granted")
            }
            #expect(throws: Never.self) { try request.executeScript("select from a; commit") }
            #expect(try await migration.applied == ["0001_step.sql"])
        }
    }

    @Test("every fourth attempt is long enough for an autovacuum to give way")
    func lengths() {
        let waits = (1...8).map { MigrationPatience.standard.lockTimeout(of: $0) }
        #expect(waits.filter { $0 > .seconds(1) }.count == 2 && waits[3] > .seconds(1))
    }

    @Test("a table that stays in use ends the run by name, and nothing is changed")
    func givesUp() async throws {
        try await withTableInUse { database, reader in
            let migrator = try migrator(attempts: 2)
            var waits = 0
            await #expect(throws: PostgresError.migration(.locked(file: "0002_step.sql"))) {
                try await migrator.migrate(database.configuration()) { _ in waits += 1 }
            }
            #expect(waits == 1)
            #expect(try migrator.pending(on: reader).applied == ["0002_step.sql"])
        }
    }
}
