import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Postgres

@Suite struct ConnectionPoolTests {
    /// Occupies one connection until `release` is called.
    private final class Gate: Sendable {
        private let isOpen = Atomic(false)
        private let entered = Atomic(0)

        func hold() {
            entered.add(1, ordering: .releasing)
            while !isOpen.load(ordering: .acquiring) { usleep(500) }
        }

        func release() { isOpen.store(true, ordering: .releasing) }

        func waitUntilEntered(by count: Int = 1) async {
            while entered.load(ordering: .acquiring) < count { try? await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func waitUntil(_ pool: ConnectionPool, _ condition: (PoolStatistics) -> Bool) async {
        while !condition(pool.statistics) { try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("ten thousand statements through eight connections all get their own answer")
    func tenThousand() async throws {
        try await withPool(connections: 8, queue: 10_000) { pool in
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        try await pool.withConnection {
                            try $0.queryOne("select \(number) * 2")?.value(0, as: Int.self) ?? 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 99_990_000)
            await waitUntil(pool) { $0.counts.finished == 10_000 }
            #expect(pool.statistics.counts.connected <= 8)
        }
    }

    @Test("one request at a time uses one connection")
    func lazily() async throws {
        try await withPool(connections: 8) { pool in
            for number in 1...20 {
                _ = try await pool.withConnection { try $0.execute("select 1") }
                // The answer arrives before the connection is idle.
                await waitUntil(pool) { $0.counts.finished == number }
            }
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("a full queue refuses immediately, and queued jobs still run")
    func bounded() async throws {
        try await withPool(connections: 1, queue: 2) { pool in
            let gate = Gate()
            async let first: Void = pool.withConnection { _ in gate.hold() }
            await gate.waitUntilEntered()
            async let second = pool.withConnection { try $0.execute("select 2") }
            async let third = pool.withConnection { try $0.execute("select 3") }
            await waitUntil(pool) { $0.queued == 2 }
            await #expect(throws: PostgresError.overloaded) {
                try await pool.withConnection { try $0.execute("select 4") }
            }
            gate.release()
            try await first
            let answers = try await [second, third]
            #expect(answers == [1, 1])
        }
    }

    @Test("a request that waits too long for a connection gives up, and never runs")
    func acquireTimeout() async throws {
        try await withPool(connections: 1, acquire: .milliseconds(100)) { pool in
            // The first connection must be open before the deadline of the others starts.
            while !pool.isHealthy {
                pool.start()
                try await Task.sleep(for: .milliseconds(1))
            }
            let gate = Gate()
            let ran = Gate()
            async let first: Void = pool.withConnection { _ in gate.hold() }
            await gate.waitUntilEntered()
            await #expect(throws: PostgresError.timedOut) {
                try await pool.withConnection { _ in ran.release() }
            }
            #expect(pool.statistics.queued == 0)
            gate.release()
            try await first
            #expect(pool.statistics.counts.finished <= 1)
        }
    }

    @Test("the server ends a slow statement, and the connection stays usable")
    func statementTimeout() async throws {
        try await withPool(connections: 1, statement: .milliseconds(100)) { pool in
            await #expect(throws: PostgresError.timedOut) {
                try await pool.withConnection { _ = try $0.query("select pg_sleep(60)") }
            }
            let answer = try await pool.withConnection { try $0.execute("select 1") }
            #expect(answer == 1)
            #expect(pool.statistics.counts.connected == 1)
        }
    }

    @Test("a request that exceeds its total time is ended, and its connection is replaced")
    func requestTimeout() async throws {
        try await withPool(connections: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection(timeout: .milliseconds(100)) { connection in
                    while true { _ = try connection.query("select pg_sleep(0.02)") }
                }
            }
            // Between two statements, or during one with an unknown outcome.
            #expect(error == .timedOut || error == .connectionLost(maybeCommitted: true))
            let answer = try await pool.withConnection { try $0.execute("select 1") }
            #expect(answer == 1)
            #expect(pool.statistics.counts.connected == 2)
        }
    }

    @Test("cancelling the task interrupts a long statement and rolls back its transaction")
    func cancelRunning() async throws {
        try await withPool(connections: 1) { pool in
            try await pool.withConnection { try $0.executeScript("create table notes (id bigint)") }
            let gate = Gate()
            let task = Task {
                try await pool.withTransaction { connection in
                    try connection.execute("insert into notes values (1)")
                    gate.release()
                    _ = try connection.query("select pg_sleep(60)")
                }
            }
            async let entered: Void = Task.detached { gate.hold() }.value
            await entered
            task.cancel()
            await #expect(throws: PostgresError.cancelled) { try await task.value }
            let count = try await pool.withConnection {
                try $0.queryOne("select count(*) from notes")?.value(0, as: Int.self)
            }
            #expect(count == 0)
            #expect(pool.statistics.counts.connected == 2)
        }
    }

    @Test("cancelling a queued task answers immediately, and it never runs")
    func cancelQueued() async throws {
        try await withPool(connections: 1) { pool in
            let gate = Gate()
            async let first: Void = pool.withConnection { _ in gate.hold() }
            await gate.waitUntilEntered()
            let task = Task { try await pool.withConnection { _ in Issue.record("a cancelled request ran") } }
            await waitUntil(pool) { $0.queued == 1 }
            task.cancel()
            await #expect(throws: PostgresError.cancelled) { try await task.value }
            gate.release()
            try await first
        }
    }

    @Test("a task cancelled before its request gets no connection")
    func cancelledBefore() async throws {
        try await withPool(connections: 1) { pool in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await pool.withConnection { _ in Issue.record("a cancelled request ran") }
            }
            task.cancel()
            await #expect(throws: PostgresError.cancelled) { try await task.value }
        }
    }

    @Test(
        "K1: a cancelled task's statement runs to its end and never affects the next request, in a thousand tries")
    func cancelStaysWithItsRequest() async throws {
        try await withPool(connections: 4, grace: .seconds(30)) { pool in
            let failures = Shared(0)
            await withTaskGroup { group in
                for _ in 0..<1000 {
                    group.addTask {
                        let task = Task { try await pool.withConnection { _ = try $0.query("select pg_sleep(0.001)") } }
                        await Task.yield()
                        task.cancel()
                        _ = await task.result
                        do {
                            _ = try await pool.withConnection { try $0.execute("select 1") }
                        } catch {
                            failures.change { $0 += 1 }
                        }
                    }
                }
            }
            #expect(failures.value == 0)
            #expect(pool.statistics.counts.lost == 0)
        }
    }

    @Test("shutting down finishes running and queued jobs, then refuses")
    func shutdown() async throws {
        try await withPool(connections: 1) { pool in
            let gate = Gate()
            async let first: Void = pool.withConnection { _ in gate.hold() }
            await gate.waitUntilEntered()
            async let second = pool.withConnection { try $0.execute("select 2") }
            await waitUntil(pool) { $0.queued == 1 }
            async let end: Void = pool.shutdown()
            gate.release()
            await end
            try await first
            let answer = try await second
            #expect(answer == 1)
            #expect(pool.statistics.connections == 0)
            await #expect(throws: PostgresError.closed) { try await pool.withConnection { _ in } }
        }
    }

    @Test("as a service the pool connects by itself and ends with its group")
    func service() async throws {
        try await withTestDatabase(migrated: false) { database in
            let pool = ConnectionPool(configuration: database.configuration(), logger: .silent)
            let running = Task { try await pool.run() }
            while !pool.isHealthy { try await Task.sleep(for: .milliseconds(1)) }
            running.cancel()
            try await running.value
            #expect(!pool.isHealthy)
        }
    }

    @Test("an idle connection that the server closed is replaced before the request runs")
    func idleKilled() async throws {
        try await withPool(connections: 2) { pool in
            let process = try await pool.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int.self)
            }
            await waitUntil(pool) { $0.counts.finished == 1 }
            _ = try await SingleConnection.run(pool.configuration) {
                try $0.queryOne("select pg_terminate_backend(\(Int32(process ?? 0)), 60000)")?.value(0, as: Bool.self)
            }
            let next = try await pool.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int.self)
            }
            #expect(next != process)
        }
    }

    @Test("a connection lost inside a transaction committed nothing, outside one the outcome is unknown")
    func lostMidway() async throws {
        try await withPool(connections: 1) { pool in
            await #expect(throws: PostgresError.connectionLost(maybeCommitted: false)) {
                try await pool.withTransaction { connection in
                    try connection.execute("select 1")
                    try connection.execute("select pg_terminate_backend(pg_backend_pid())")
                }
            }
            await #expect(throws: PostgresError.connectionLost(maybeCommitted: true)) {
                try await pool.withConnection { try $0.execute("select pg_terminate_backend(pg_backend_pid())") }
            }
            let answer = try await pool.withConnection { try $0.execute("select 1") }
            #expect(answer == 1)
        }
    }
}
