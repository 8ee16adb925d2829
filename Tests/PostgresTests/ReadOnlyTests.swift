import TestSupport
import Testing

@testable import Postgres

/// The situation after a fail-over: servers that answer but accept no changes.
@Suite struct ReadOnlyTests {
    private func pool(_ url: String) -> ConnectionPool {
        ConnectionPool(configuration: PostgresConfiguration(url: url, maximumConnections: 1), logger: .silent)
    }

    @Test("a read-only server is skipped, unless the connection string allows it")
    func refused() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await database.pool.withConnection {
                try $0.executeScript("alter database \(database.name) set default_transaction_read_only = on")
            }
            let failure = #expect(throws: ConnectFailure.self) { try Connection(database.configuration()) }
            #expect(failure?.message.contains("read-only") == true, "\(String(describing: failure))")
            let any = PostgresConfiguration(url: database.url + " target_session_attrs=any")
            #expect(try Connection(any).queryOne("select 1")?.value(0) == 1)
        }
    }

    @Test("the writable one of several servers is found, in any order")
    func several() async throws {
        try await withPrivateCluster { standby in
            try await SingleConnection.run(PostgresConfiguration(url: standby.url)) {
                _ = try $0.execute("alter system set default_transaction_read_only = on")
                _ = try $0.execute("select pg_reload_conf()")
            }
            try await withPrivateCluster { primary in
                let pool = pool("postgresql://postgres@/postgres?host=\(standby.folder),\(primary.folder)")
                let folder = try await pool.withConnection {
                    try $0.queryOne("select current_setting('unix_socket_directories')")?.value(0, as: String.self)
                }
                #expect(folder == primary.folder)
                await pool.shutdown()
            }
        }
    }

    @Test("a connection to a server that became read-only is dropped, and the next one is writable")
    func lost() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.withConnection { try $0.executeScript("create table notes (id integer primary key)") }
            let change = { try await pool.withConnection { _ = try $0.execute("insert into notes values (1)") } }
            for isFirst in [true, false] {
                try await pool.withConnection {
                    try $0.executeScript("set session characteristics as transaction read only")
                }
                if isFirst {
                    await #expect(throws: PostgresError.connectionLost(maybeCommitted: false)) { try await change() }
                } else {
                    await #expect(throws: PostgresError.connectionLost(maybeCommitted: false)) {
                        try await pool.withTransaction { _ = try $0.execute("insert into notes values (2)") }
                    }
                }
            }
            try await change()
            #expect(pool.statistics.counts.lost == 2)
        }
    }
}
