import Postgres
import TestSupport
import Testing

/// Migrations, and servers of neighbouring versions.
@Suite("Schema")
struct SchemaTests {
    @Test("A-08: two migrations at once apply each file once")
    func migrateTwice() async throws {
        try await withDeployment { deployment in
            try await withTestDatabase(migrated: false) { database in
                let results = try await inParallel(2) { _ in
                    try await deployment.run("migrate", changes: ["DATABASE_URL": database.url + " connect_timeout=10"])
                }
                #expect(results.map(\.exitCode) == [0, 0], "\(results.map(\.errors))")
                let applied = results.flatMap { $0.output.split(separator: "\n") }.filter { $0.hasPrefix("applied ") }
                let files = try Migrator.bundled().map { "applied \($0.file)" }
                #expect(applied.map(String.init).sorted() == files.sorted())
                let rows = try await database.pool.withConnection { connection in
                    try connection.queryOne("select count(*) from schema_migrations")?.value(0, as: Int.self)
                }
                #expect(rows == files.count)
                let again = try await deployment.run(
                    "migrate", changes: ["DATABASE_URL": database.url + " connect_timeout=10"])
                #expect(again.exitCode == 0)
                #expect(again.output.contains("up to date"))
            }
        }
    }

    @Test("A-08: a server works with a newer schema")
    func newerSchema() async throws {
        try await withDeployment { deployment in
            _ = try await deployment.database.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into schema_migrations (number, name, checksum, applied_at)
                    select 9000, 'of_a_later_version', checksum, now() from schema_migrations order by number limit 1
                    """)
            }
            let gateway = try await deployment.start()
            #expect(try await gateway.anyone().isNewAccount)
            let migration = try await deployment.run("migrate")
            #expect(migration.exitCode == 0)
            #expect(migration.errors.contains("newer"))
            await gateway.expectGoodEnd()
        }
    }

    @Test("a server refuses a schema that lacks a migration, with a remedy")
    func olderSchema() async throws {
        try await withDeployment { deployment in
            try await withTestDatabase(migrated: false) { database in
                let result = try await deployment.run(
                    "serve", changes: ["DATABASE_URL": database.url + " connect_timeout=10"])
                #expect(result.exitCode == 1)
                #expect(result.errors.contains("gateway migrate"))
            }
        }
    }
}
