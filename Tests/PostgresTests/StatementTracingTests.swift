import Testing
import Traces

@testable import Postgres

@Suite("Statements within a trace")
struct StatementTracingTests {
    @Test(
        "a statement is named by its function, or by its verb and table",
        arguments: [
            ("select end_session($1, $2)", "end_session"),
            ("select outcome, account_id\n  from sign_in($1, $2::inet) as s", "sign_in"),
            ("select id from clients where id = $1", "select clients"),
            ("select count(*) from sessions\n where created_at < $1", "select sessions"),
            ("select exists (select from clients where id = $1)", "select clients"),
            ("update sessions\n   set rotated_at = now()", "update sessions"),
            ("insert into outbox(id, kind) values ($1, $2)", "insert outbox"),
            ("delete from flows where id = $1", "delete flows"),
            ("commit", "commit"), ("savepoint p1", "savepoint"), ("", "statement"),
        ])
    func names(statement: String, name: String) {
        #expect(StatementName.of(statement.utf8) == name)
    }

    @Test("a request counts its statements, those of a transaction too")
    func counted() async throws {
        try await withPool(connections: 2) { pool in
            let trace = RequestTrace()
            try await RequestTrace.$current.withValue(trace) {
                // The first one is prepared by the connection's thread, later ones are sent at once.
                for number in 1...5 { _ = try await pool.queryOne("select \(number) + 1") { _ in } }
                try await pool.withTransaction { connection in
                    try connection.execute("select 1")
                    try connection.execute("select 2")
                }
            }
            let figures = trace.figures(total: .seconds(1))
            // begin, two statements, commit.
            #expect(figures.statements == 9)
            #expect(figures.database > 0)
        }
    }

    @Test("the statements of a job are spans below the span of its connection, without values")
    func spans() async throws {
        try await withPool(connections: 1) { pool in
            let trace = RequestTrace(isSampled: true)
            try await RequestTrace.$current.withValue(trace) {
                _ = try await pool.queryOne("select 1 from pg_class where relname = \("hush")") { _ in }
                try await pool.withTransaction { connection in
                    _ = try connection.queryOne("select pg_backend_pid()")
                }
                await #expect(throws: PostgresError.self) {
                    try await pool.withConnection { _ = try $0.queryOne("select missing_function(\("hush"))") }
                }
            }
            let spans = trace.finish().spans
            #expect(
                spans.map(\.name) == [
                    "select pg_class", "begin", "pg_backend_pid", "commit", "connection", "missing_function",
                    "connection",
                ])
            #expect(spans.map(\.hasFailed) == [false, false, false, false, false, true, true])
            #expect([0, 4, 6].allSatisfy { spans[$0].parent == trace.span })
            #expect(spans[1...3].allSatisfy { $0.parent == spans[4].id } && spans[5].parent == spans[6].id)
            #expect(!"\(spans)".contains("hush"))
        }
    }

    @Test("a later job of the same connection adds nothing to an earlier request")
    func separate() async throws {
        try await withPool(connections: 1) { pool in
            let trace = RequestTrace(isSampled: true)
            try await RequestTrace.$current.withValue(trace) {
                try await pool.withConnection { _ = try $0.execute("select 1") }
            }
            try await pool.withConnection { _ = try $0.execute("select 2") }
            #expect(trace.figures(total: .seconds(1)).statements == 1)
            #expect(trace.finish().spans.count == 2)
        }
    }
}
