import TestSupport
import Testing

@testable import Postgres

@Suite struct ConnectionTests {
    private struct Stop: Error {}

    /// A database with one table, `notes (id bigint primary key, text text)`.
    private func withNotes(_ body: (ConnectionPool) async throws -> Void) async throws {
        try await withTestDatabase(migrated: false) { database in
            try await database.pool.withConnection {
                try $0.executeScript(
                    "create table notes (id bigint primary key, text text); insert into notes values (1, 'one')")
            }
            try await body(database.pool)
        }
    }

    private func ids(_ pool: ConnectionPool) async throws -> [Int] {
        try await pool.withConnection { connection in
            try connection.query("select id from notes order by id").map { try $0.value(0) }
        }
    }

    @Test("execute returns the number of affected rows")
    func rowsAffected() async throws {
        try await withNotes { pool in
            let counts = try await pool.withConnection { connection in
                [
                    try connection.execute("insert into notes select n, 'x' from generate_series(2, 5) n"),
                    try connection.execute("update notes set text = \("y") where id > \(3)"),
                    try connection.execute("delete from notes where id = \(99)"),
                ]
            }
            #expect(counts == [4, 2, 0])
        }
    }

    @Test("a transaction is committed when its body returns")
    func commit() async throws {
        try await withNotes { pool in
            try await pool.withTransaction { try $0.execute("insert into notes values (2, 'two')") }
            let stored = try await ids(pool)
            #expect(stored == [1, 2])
        }
    }

    @Test("a transaction is rolled back when its body throws, and the error is rethrown")
    func rollback() async throws {
        try await withNotes { pool in
            await #expect(throws: Stop.self) {
                try await pool.withTransaction { connection in
                    try connection.execute("insert into notes values (2, 'two')")
                    throw Stop()
                }
            }
            let stored = try await ids(pool)
            #expect(stored == [1])
        }
    }

    @Test("a nested transaction can be rolled back alone")
    func savepoint() async throws {
        try await withNotes { pool in
            try await pool.withTransaction { connection in
                try connection.execute("insert into notes values (2, 'two')")
                try? connection.transaction { inner in
                    try inner.execute("insert into notes values (3, 'three')")
                    try inner.execute("insert into notes values (2, 'again')")
                }
                try connection.transaction { try $0.execute("insert into notes values (4, 'four')") }
            }
            let stored = try await ids(pool)
            #expect(stored == [1, 2, 4])
        }
    }

    @Test("a transaction with an ignored failed statement isn't reported as committed")
    func swallowedFailure() async throws {
        try await withNotes { pool in
            await #expect(throws: PostgresError.statement(.failedTransaction, constraint: nil, message: "")) {
                try await pool.withTransaction { connection in
                    try connection.execute("insert into notes values (2, 'two')")
                    _ = try? connection.execute("insert into notes values (1, 'again')")
                }
            }
            let stored = try await ids(pool)
            #expect(stored == [1])
        }
    }

    @Test("a transaction left open by hand doesn't reach the next request")
    func leftOpen() async throws {
        try await withNotes { pool in
            try await pool.withConnection { connection in
                try connection.executeScript("begin")
                try connection.execute("insert into notes values (2, 'two')")
            }
            let stored = try await ids(pool)
            #expect(stored == [1])
        }
    }

    @Test("a violated constraint is named, without values")
    func constraint() async throws {
        try await withNotes { pool in
            do {
                try await pool.withConnection { try $0.execute("insert into notes values (\(1), \("hunter2"))") }
                Issue.record("the row was taken twice")
            } catch let error as PostgresError {
                guard case .statement(.uniqueViolation, constraint: "notes_pkey", _) = error else { throw error }
                #expect(!error.diagnostic.contains("hunter2"))
                #expect(!error.diagnostic.contains("(1)"))
            }
        }
    }

    @Test("a message that quotes a value is left out of the diagnostic")
    func quotingMessage() async throws {
        try await withNotes { pool in
            do {
                _ = try await pool.withConnection { _ = try $0.query("select \("hunter2")::text::bigint") }
                Issue.record("text became a number")
            } catch let error as PostgresError {
                #expect(error == .statement(SQLState(rawValue: "22P02"), constraint: nil, message: ""))
            }
        }
    }

    @Test("a statement is prepared once per connection")
    func preparedOnce() async throws {
        try await withNotes { pool in
            let prepared = try await pool.withConnection { connection in
                for id in 1...20 { _ = try connection.query("select text from notes where id = \(id)") }
                return try connection.queryOne(
                    "select count(*) from pg_prepared_statements where statement like 'select text%'")?.value(
                        0, as: Int.self)
            }
            #expect(prepared == 1)
        }
    }

    @Test("statements beyond the cache's limit are freed on the server")
    func evictionOnServer() async throws {
        try await withNotes { pool in
            let prepared = try await pool.withConnection { connection in
                for number in 0..<300 { _ = try connection.query(SQL(unsafeSQL: "select \(number)")) }
                return try connection.queryOne("select count(*) from pg_prepared_statements")?.value(0, as: Int.self)
            }
            #expect(prepared == 256)
        }
    }

    @Test("a prepared statement survives a change of its table")
    func changedTable() async throws {
        try await withNotes { pool in
            let columns = try await pool.withConnection { connection in
                let before = try connection.queryOne("select * from notes")?.result.columnCount
                try connection.executeScript("alter table notes add column more text")
                return [before, try connection.queryOne("select * from notes")?.result.columnCount]
            }
            #expect(columns == [2, 3])
        }
    }

    @Test("a prepared statement that the server forgot is prepared again")
    func forgotten() async throws {
        try await withNotes { pool in
            let ids = try await pool.withConnection { connection in
                _ = try connection.query("select id from notes")
                try connection.executeScript("deallocate all")
                return try connection.query("select id from notes").map { try $0.value(0, as: Int.self) }
            }
            #expect(ids == [1])
        }
    }

    @Test("in a transaction the forgotten statement fails once, and works the next time")
    func forgottenInTransaction() async throws {
        try await withNotes { pool in
            let (state, ids) = try await pool.withConnection { connection in
                _ = try connection.query("select id from notes")
                try connection.executeScript("deallocate all")
                var state: SQLState?
                do {
                    _ = try connection.transaction { try $0.query("select id from notes") }
                } catch let error as PostgresError {
                    state = error.state
                }
                return (state, try connection.query("select id from notes").map { try $0.value(0, as: Int.self) })
            }
            #expect(state == SQLState(rawValue: "26000"))
            #expect(ids == [1])
        }
    }

    @Test("a script runs all of its statements or none")
    func script() async throws {
        try await withNotes { pool in
            await #expect(throws: PostgresError.self) {
                try await pool.withConnection {
                    try $0.executeScript("insert into notes values (2, 'two'); insert into notes values (1, 'again')")
                }
            }
            let stored = try await ids(pool)
            #expect(stored == [1])
        }
    }
}
