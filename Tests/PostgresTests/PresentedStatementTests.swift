import Testing

@testable import Postgres

/// Statements that are sent before their connection's thread wakes.
@Suite struct PresentedStatementTests {
    private func twice(_ number: Int, _ pool: ConnectionPool) async throws -> Int? {
        try await pool.queryOne("select \(number) * 2") { try $0?.value(0) }
    }

    private func nap(_ seconds: Double, _ pool: ConnectionPool) async throws {
        try await pool.queryOne("select pg_sleep(\(seconds))") { _ in }
    }

    private func rests(_ pool: ConnectionPool, after count: Int) async {
        while pool.statistics.counts.finished < count { try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("a prepared statement is sent immediately, and its own answer is read")
    func presents() async throws {
        try await withPool(connections: 1) { pool in
            let answers = try await pool.withConnection { connection in
                let sql: SQL = "select \(20) + 1"
                let unknown = connection.present(sql)
                _ = try connection.queryOne(sql)
                let known = connection.present(sql)
                let sent = connection.statementsSent
                let answer = try connection.queryOne(sql)?.value(0, as: Int.self)
                return (unknown, known, answer, connection.statementsSent - sent)
            }
            #expect(answers == (false, true, 21, 0))
        }
    }

    @Test("values that might not fit into the kernel's buffer wait for the connection's own thread")
    func large() async throws {
        try await withPool(connections: 1) { pool in
            let text = String(repeating: "a", count: 1 << 20)
            let isSent = try await pool.withConnection { connection in
                _ = try connection.queryOne("select length(\(text))")
                return connection.present("select length(\(text))")
            }
            #expect(!isSent)
            for _ in 0..<2 {
                let length: Int32? = try await pool.queryOne("select length(\(text))") { try $0?.value(0) }
                #expect(length == 1 << 20)
            }
        }
    }

    @Test("an unread answer doesn't reach the next request")
    func left() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.withConnection { connection in
                _ = try connection.queryOne("select \(1) * 2")
                #expect(connection.present("select \(1) * 2"))
            }
            let answer = try await twice(21, pool)
            #expect(answer == 42)
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("ten thousand of them, mixed with other requests, each get their own answer")
    func tenThousand() async throws {
        try await withPool(connections: 8, queue: 10_000) { pool in
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        guard number.isMultiple(of: 7) else { return try await twice(number, pool) ?? 0 }
                        return try await pool.withTransaction {
                            try $0.queryOne("select \(number) * 2")?.value(0, as: Int.self) ?? 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 99_990_000)
            await rests(pool, after: 10_000)
            #expect(pool.statistics.counts.connected <= 8)
        }
    }

    @Test("one after the other they need one connection, and each is one statement")
    func counted() async throws {
        try await withPool(connections: 8) { pool in
            for number in 1...50 {
                let answer = try await twice(number, pool)
                #expect(answer == 2 * number)
                await rests(pool, after: number)
            }
            #expect(pool.statistics.counts.connected == 1)
            #expect(pool.statistics.counts.statements == 50)
        }
    }

    @Test(
        "a statement that the server forgot is prepared again",
        arguments: ["deallocate all", "discard plans; deallocate all"])
    func forgotten(script: String) async throws {
        try await withPool(connections: 1) { pool in
            _ = try await twice(1, pool)
            try await pool.withConnection { try $0.executeScript(script) }
            await rests(pool, after: 2)
            let answer = try await twice(21, pool)
            #expect(answer == 42)
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("a refusal is rethrown, and the connection stays usable")
    func refused() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.withConnection {
                try $0.executeScript("create table notes (id bigint constraint notes_id primary key)")
            }
            try await pool.queryOne("insert into notes values (\(1))") { _ in }
            await rests(pool, after: 2)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.queryOne("insert into notes values (\(1))") { _ in }
            }
            #expect(error?.state == .uniqueViolation)
            let answer = try await twice(21, pool)
            #expect(answer == 42)
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("the server ends a slow one, and the connection stays usable")
    func tooLong() async throws {
        try await withPool(connections: 1, statement: .milliseconds(200)) { pool in
            try await nap(0, pool)
            await rests(pool, after: 1)
            await #expect(throws: PostgresError.timedOut) { try await nap(60, pool) }
            let answer = try await twice(21, pool)
            #expect(answer == 42)
        }
    }

    @Test("K1: cancelling the task leaves the outcome unknown and never affects the next request, in forty tries")
    func cancelled() async throws {
        try await withPool(connections: 1, grace: .milliseconds(10)) { pool in
            try await nap(0, pool)
            for number in 0..<40 {
                let napping = Task { try await nap(60, pool) }
                for _ in 0..<number % 20 { await Task.yield() }
                napping.cancel()
                let error = await #expect(throws: PostgresError.self) { try await napping.value }
                // Before or after the statement was sent.
                #expect(error == .cancelled || error == .connectionLost(maybeCommitted: true))
                let answer = try await twice(number, pool)
                #expect(answer == 2 * number)
            }
        }
    }

    @Test("an idle connection that the server closed is replaced before the statement is sent")
    func idleKilled() async throws {
        try await withPool(connections: 2) { pool in
            let process: Int32? = try await pool.queryOne("select pg_backend_pid()") { try $0?.value(0) }
            await rests(pool, after: 1)
            _ = try await SingleConnection.run(pool.configuration) {
                try $0.queryOne("select pg_terminate_backend(\(process ?? 0), 60000)")?.value(0, as: Bool.self)
            }
            let next: Int32? = try await pool.queryOne("select pg_backend_pid()") { try $0?.value(0) }
            #expect(next != nil)
            #expect(next != process)
        }
    }

    @Test("a connection lost meanwhile leaves the outcome unknown")
    func lost() async throws {
        try await withPool(connections: 1) { pool in
            let end: @Sendable (Bool) async throws -> Void = { isMeant in
                try await pool.queryOne(
                    "select pg_terminate_backend(case when \(isMeant) then pg_backend_pid() else 0 end)"
                ) { _ in }
            }
            try await end(false)
            await rests(pool, after: 1)
            await #expect(throws: PostgresError.connectionLost(maybeCommitted: true)) { try await end(true) }
            let answer = try await twice(21, pool)
            #expect(answer == 42)
        }
    }

    @Test("shutting down waits for running statements, then refuses")
    func shutdown() async throws {
        try await withPool(connections: 1) { pool in
            try await nap(0, pool)
            await rests(pool, after: 1)
            let napping = Task { try await nap(0.3, pool) }
            while pool.statistics.busy == 0 { try await Task.sleep(for: .milliseconds(1)) }
            await pool.shutdown()
            try await napping.value
            await #expect(throws: PostgresError.closed) { try await nap(0, pool) }
        }
    }
}
