import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite struct MigratorTests {
    private let first = "create table a (id bigint);"
    private let second = "create table b (id bigint); insert into b values (1);"

    private func migrations(_ sql: String...) throws -> [Migration] {
        try sql.enumerated().map { try Migration(file: "000\($0.offset + 1)_step.sql", sql: $0.element) }
    }

    @Test("missing migrations are applied in order, once")
    func applies() async throws {
        let migrator = try Migrator(migrations: try migrations(first, second))
        try await withTestDatabase(migrated: false) { database in
            let configuration = database.configuration()
            let pending = try await database.pool.withConnection { try migrator.pending(on: $0).applied }
            #expect(pending == ["0001_step.sql", "0002_step.sql"])
            let applied = try await migrator.migrate(configuration).applied
            #expect(applied == ["0001_step.sql", "0002_step.sql"])
            let again = try await migrator.migrate(configuration).applied
            #expect(again == [])
            let left = try await database.pool.withConnection { try migrator.pending(on: $0).applied }
            #expect(left == [])
            let rows = try await database.pool.withConnection { connection in
                try connection.query("select number, name, length(checksum) from schema_migrations order by number").map
                {
                    "\(try $0.value(0, as: Int.self)) \(try $0.value(1, as: String.self)) \(try $0.value(2, as: Int.self))"
                }
            }
            #expect(rows == ["1 0001_step.sql 32", "2 0002_step.sql 32"])
        }
    }

    @Test("A-08: two servers that start together both succeed, and each file is applied once")
    func atOnce() async throws {
        let migrator = try Migrator(
            migrations: try migrations("create table a (id bigint); select pg_sleep(0.2)", second))
        try await withTestDatabase(migrated: false) { database in
            let configuration = database.configuration()
            async let left = migrator.migrate(configuration)
            async let right = migrator.migrate(configuration)
            let reports = try await [left.applied, right.applied]
            #expect(reports.flatMap(\.self) == ["0001_step.sql", "0002_step.sql"])
            let count = try await database.pool.withConnection {
                try $0.queryOne("select count(*) from b")?.value(0, as: Int.self)
            }
            #expect(count == 1)
        }
    }

    @Test("A-08: a database newer than the program is left unchanged and reported")
    func newer() async throws {
        let old = try Migrator(migrations: try migrations(first))
        let new = try Migrator(migrations: try migrations(first, second))
        try await withTestDatabase(migrated: false) { database in
            _ = try await new.migrate(database.configuration())
            let report = try await old.migrate(database.configuration())
            #expect(report == Migrator.Report(applied: [], unknown: [2]))
        }
    }

    @Test("a file that was changed after it had been applied is named")
    func changed() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await Migrator(migrations: try migrations(first)).migrate(database.configuration())
            let edited = try Migrator(migrations: try migrations(first + " ", second))
            await #expect(throws: PostgresError.migration(.changed(file: "0001_step.sql"))) {
                try await edited.migrate(database.configuration())
            }
        }
    }

    @Test("a database of another schema is refused and left unchanged")
    func otherSchema() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await Migrator(migrations: try migrations(first, second)).migrate(database.configuration())
            let files = [("0001_step.sql", first + " "), ("0002_other.sql", second), ("0003_new.sql", "drop table a")]
            let other = try Migrator(migrations: try files.map { try Migration(file: $0.0, sql: $0.1) })
            let refusal = PostgresError.migration(.otherSchema(applied: "0002_step.sql", file: "0002_other.sql"))
            await #expect(throws: refusal) { try await other.migrate(database.configuration()) }
            await #expect(throws: refusal) {
                try await database.pool.withConnection { _ = try other.pending(on: $0) }
            }
            #expect(refusal.description.contains("create an empty database"))
        }
    }

    @Test("triggers come after functions, and functions after tables")
    func phases() async throws {
        let trigger = "create trigger t after insert on a execute function f()"
        let table = "create table a (id bigint); create type c as (n bigint)"
        let function =
            "create or replace function f() returns trigger language plpgsql as $$ begin return null; end $$;"
        let user = "create or replace function g(p c) returns bigint language sql as $$ select p.n $$;"
        let migrator = try Migrator(
            migrations: [
                Migration(file: "0001_triggers.after_functions.sql", sql: trigger),
                Migration(file: "0002_tables.sql", sql: table),
            ], functions: [FunctionFile(path: "s/f.sql", sql: function), FunctionFile(path: "s/g.sql", sql: user)])
        try await withTestDatabase(migrated: false) { database in
            let report = try await migrator.migrate(database.configuration())
            #expect(report.applied == ["0001_triggers.after_functions.sql", "0002_tables.sql"])
            #expect(try await migrator.migrate(database.configuration()).isCurrent)
        }
    }

    @Test("a file with a lower number than an applied one is named")
    func skipped() async throws {
        try await withTestDatabase(migrated: false) { database in
            let migrator = try Migrator(migrations: try migrations(first, second))
            try await migrator.migrate(database.configuration())
            try await database.pool.withConnection { try $0.execute("delete from schema_migrations where number = 1") }
            await #expect(throws: PostgresError.migration(.skipped(file: "0001_step.sql"))) {
                try await migrator.migrate(database.configuration())
            }
        }
    }

    @Test("a failing file is named, and the run is rolled back")
    func fails() async throws {
        try await withTestDatabase(migrated: false) { database in
            let migrator = try Migrator(
                migrations: try migrations(first, "create table b (id bigint); select * from nowhere"))
            do {
                try await migrator.migrate(database.configuration())
                Issue.record("a broken file was applied")
            } catch PostgresError.migration(.failed(let file, let state, let message)) {
                #expect(file == "0002_step.sql")
                #expect(state == .undefinedTable)
                #expect(message.contains("nowhere"))
            }
            let left = try await database.pool.withConnection {
                try $0.queryOne("select count(*) from pg_class where relnamespace = 'public'::regnamespace")?
                    .value(0, as: Int.self)
            }
            #expect(left == 0)
        }
    }

    @Test("a file that ends its transaction is refused")
    func endsTransaction() async throws {
        try await withTestDatabase(migrated: false) { database in
            let migrator = try Migrator(migrations: try migrations("commit"))
            await #expect(throws: PostgresError.migration(.endedTransaction(file: "0001_step.sql"))) {
                try await migrator.migrate(database.configuration())
            }
        }
    }

    @Test("duplicate and missing numbers are named")
    func numbering() throws {
        let one = try Migration(file: "0001_one.sql", sql: "")
        let other = try Migration(file: "0001_other.sql", sql: "")
        let three = try Migration(file: "0003_three.sql", sql: "")
        #expect(throws: PostgresError.migration(.duplicateNumber(1, files: ["0001_one.sql", "0001_other.sql"]))) {
            try Migrator(migrations: [other, one])
        }
        #expect(throws: PostgresError.migration(.missingNumber(2, before: "0003_three.sql"))) {
            try Migrator(migrations: [one, three])
        }
    }

    @Test(
        "files with other names are refused",
        arguments: [
            "1_a.sql", "0001.sql", "0001_.after_functions.sql", "0001_a.before_functions.sql", "0001-a.sql",
            "0001_A.sql", "0001_a.txt", "0000_a.sql", "0001_.sql", "x0001_a.sql",
            "",
        ])
    func names(file: String) {
        #expect(throws: MigrationProblem.fileName(file)) { try Migration(file: file, sql: "") }
    }

    @Test("the program's own migrations apply to an empty database")
    func own() async throws {
        try await withTestDatabase { database in
            let migrator = try Migrator(migrations: try Migrator.bundled())
            let report = try await migrator.migrate(database.configuration())
            #expect(report == Migrator.Report(applied: [], unknown: []))
        }
    }

    @Test("a new database has no account")
    func noAccount() async throws {
        try await withTestDatabase { database in
            let isThere = try await database.pool.withConnection {
                try $0.queryOne("select exists (select from accounts)")?.value(0, as: Bool.self)
            }
            #expect(isThere == false)
        }
    }

    private func withFunctions(_ one: String, _ two: String) throws -> Migrator {
        let body = { (name: String, text: String) in
            FunctionFile(
                path: "numbers/\(name).sql",
                sql: "create or replace function \(name)() returns text language sql as $$ \(text) $$;")
        }
        return try Migrator(migrations: try migrations(first), functions: [body("one", one), body("two", two)])
    }

    private func answer(_ database: TestDatabase) async throws -> String? {
        try await database.pool.withConnection { try $0.queryOne("select one()")?.value(0, as: String.self) }
    }

    @Test("functions are replaced when their text changes, and may call later ones")
    func functions() async throws {
        try await withTestDatabase(migrated: false) { database in
            let old = try withFunctions("select two()", "select 'old'")
            #expect(
                try await old.migrate(database.configuration()).functions == ["numbers/one.sql", "numbers/two.sql"])
            #expect(try await answer(database) == "old")
            #expect(try await old.migrate(database.configuration()).isCurrent)
            let new = try withFunctions("select two()", "select 'new'")
            let pending = try await database.pool.withConnection { try new.pending(on: $0).functions }
            #expect(pending == ["numbers/two.sql"])
            #expect(try await new.migrate(database.configuration()).functions == ["numbers/two.sql"])
            #expect(try await answer(database) == "new")
            #expect(try await old.migrate(database.configuration()).isCurrent)
            #expect(try await answer(database) == "new", "an older program leaves newer functions alone")
        }
    }

    @Test("an invalid function is named, and no other is replaced")
    func brokenFunction() async throws {
        try await withTestDatabase(migrated: false) { database in
            _ = try await withFunctions("select 'a'", "select 'b'").migrate(database.configuration())
            let broken = try withFunctions("select 'c'", "select 'd' $$ nonsense")
            do {
                try await broken.migrate(database.configuration())
                Issue.record("a broken function was applied")
            } catch PostgresError.migration(.failed(let file, _, _)) {
                #expect(file == "numbers/two.sql")
            }
            #expect(try await answer(database) == "a")
        }
    }

    @Test("each file defines the function it is named after, below a header; the catalogue has these and nothing twice")
    func catalogue() async throws {
        try await withTestDatabase { database in
            let found = try await database.pool.withConnection { connection in
                try connection.query(
                    "select proname::text from pg_proc where pronamespace = 'public'::regnamespace order by proname collate \"C\""
                ).map { try $0.value(0, as: String.self) }
            }
            let files = try Migrator.bundledFunctions()
            for file in files {
                let definitions = file.sql.components(separatedBy: "create or replace function ").count - 1
                #expect(definitions == 1 && file.sql.contains("function \(file.name)("), "\(file.path)")
                #expect(file.sql.hasPrefix("-- "), "\(file.path) has no header")
            }
            let declared = files.map(\.name)
            #expect(found == declared.sorted())
        }
    }
}
