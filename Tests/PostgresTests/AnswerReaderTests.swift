import Glibc
import TestSupport
import Testing

@testable import Postgres

/// One thread reads the answers of all connections.
@Suite(.timeLimit(.minutes(5))) struct AnswerReaderTests {
    private func length(_ count: Int, _ pool: ConnectionPool) async throws -> Int? {
        try await pool.queryOne("select repeat('x', \(Int32(count)))") { try $0?.value(0, as: String.self).utf8.count }
    }

    /// Prepares the statement on each connection, so that later ones are sent before a thread wakes.
    private func warm(_ pool: ConnectionPool, _ connections: Int, _ statement: SQL) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<connections {
                group.addTask {
                    try await pool.withConnection {
                        _ = try $0.queryOne("select pg_sleep(0.2)")
                        _ = try $0.queryOne(statement)
                    }
                }
            }
        }
    }

    private func rests(_ pool: ConnectionPool) async throws {
        _ = try await poll { pool.statistics.busy == 0 ? () : nil }
    }

    @Test("an answer in many pieces is read completely", arguments: [1, 8_000, 16_384, 70_000, 20_000_000])
    func large(count: Int) async throws {
        try await withPool(connections: 1) { pool in
            for _ in 0..<4 {
                #expect(try await length(count, pool) == count)
                try await rests(pool)
            }
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("a complete answer is read completely, even if libpq reads little at a time")
    func whole() async throws {
        try await withPool(connections: 1) { pool in
            let arrival = try await pool.withConnection { connection in
                // A small answer keeps libpq's buffer small.
                _ = try connection.queryOne("select repeat('x', \(Int32(1)))")
                guard connection.present("select repeat('x', \(Int32(70_000)))") else {
                    return Connection.Arrival.trouble
                }
                var room = [UInt8](repeating: 0, count: 70_000)
                let peeking = Int32(MSG_PEEK | MSG_DONTWAIT)
                while unsafe recv(connection.handle.socket, &room, room.count, peeking) < room.count {}
                return connection.takeArrival()
            }
            #expect(arrival == .answer)
        }
    }

    @Test("a slow answer delays no other")
    func slow() async throws {
        try await withPool(connections: 2) { pool in
            let nap: @Sendable (Double) async throws -> Void = { seconds in
                try await pool.queryOne("select pg_sleep(\(seconds))") { _ in }
            }
            try await warm(pool, 2, "select pg_sleep(\(0.0))")
            try await warm(pool, 2, "select repeat('x', \(Int32(1)))")
            try await rests(pool)
            let napping = Task { try await nap(3_600) }
            _ = try await poll { pool.statistics.busy == 1 ? () : nil }
            for _ in 0..<100 { #expect(try await length(3, pool) == 3) }
            #expect(pool.statistics.busy >= 1)
            napping.cancel()
            await #expect(throws: PostgresError.connectionLost(maybeCommitted: true)) { try await napping.value }
        }
    }

    @Test("queued statements use the first free connection, in order")
    func queued() async throws {
        try await withPool(connections: 2, queue: 1_000) { pool in
            try await warm(pool, 2, "select repeat('x', \(Int32(1)))")
            try await rests(pool)
            let before = pool.statistics.counts
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for count in 1...1_000 {
                    group.addTask { try await length(count, pool) == count }
                }
                for try await isRight in group { #expect(isRight) }
            }
            try await rests(pool)
            #expect(pool.statistics.counts.statements - before.statements == 1_000)
            #expect(pool.statistics.counts.finished - before.finished == 1_000)
            #expect(pool.statistics.counts.connected == 2)
        }
    }

    @Test("a connection lost between two statements is replaced, and the queue is served")
    func lostInTheQueue() async throws {
        try await withPool(connections: 1, queue: 100) { pool in
            let end: @Sendable (Bool) async throws -> Void = { isMeant in
                try await pool.queryOne(
                    "select pg_terminate_backend(case when \(isMeant) then pg_backend_pid() else 0 end)"
                ) { _ in }
            }
            try await end(false)
            _ = try await length(1, pool)
            try await rests(pool)
            let ending = Task { try await end(true) }
            _ = try await poll { pool.statistics.counts.finished > 2 || pool.statistics.busy == 1 ? () : nil }
            await #expect(throws: PostgresError.connectionLost(maybeCommitted: true)) { try await ending.value }
            // A caller without a connection gets the error at once.
            let count = try await poll { try? await length(5, pool) }
            #expect(count == 5)
            #expect(pool.statistics.counts.connected == 2)
        }
    }

    @Test("an idle connection that the server closes is replaced without a request")
    func hangUp() async throws {
        try await withPool(connections: 1) { pool in
            let process = try await pool.queryOne("select pg_backend_pid()") { try $0?.value(0, as: Int32.self) ?? 0 }
            for _ in 0..<3 { try await pool.queryOne("select pg_backend_pid()") { _ in } }
            try await rests(pool)
            _ = try await SingleConnection.run(pool.configuration) {
                try $0.queryOne("select pg_terminate_backend(\(process))")
            }
            _ = try await poll { pool.statistics.counts.connected == 2 ? () : nil }
            let next = try await pool.queryOne("select pg_backend_pid()") { try $0?.value(0, as: Int32.self) }
            #expect(next != process)
        }
    }
}
