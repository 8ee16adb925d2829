import TestSupport
import Testing

@testable import Postgres

/// The pool's behaviour while the system cannot start threads.
@Suite(.timeLimit(.minutes(10)))
struct NoThreadTests {
    private func makeCore(_ database: TestDatabase, hasWatcher: Shared<Bool>) -> PoolCore {
        PoolCore(configuration: database.configuration(), logger: .silent) { name, body in
            (name != "pg-watcher" || hasWatcher.value) && DedicatedThread.start(name: name, body)
        }
    }

    private func one(_ core: PoolCore) async throws -> Int {
        core.start()
        let now = MonotonicTime.now
        let answer = PoolAnswer<Int>()
        let job = PoolJob(
            answer, statement: nil, submitted: now, expires: now + .seconds(60), timeout: .seconds(60)
        ) { connection in
            try connection.queryOne("select 1")?.value(0) ?? 0
        }
        return try await withCheckedThrowingContinuation { continuation in
            answer.awaited(by: continuation)
            core.submit(job)
        }
    }

    @Test("nothing runs without the watcher thread, and the next request retries its creation")
    func watcher() async throws {
        try await withTestDatabase(migrated: false) { database in
            let hasWatcher = Shared(false)
            let core = makeCore(database, hasWatcher: hasWatcher)
            for _ in 0..<2 {
                await #expect(throws: PostgresError.unavailable(retryAfter: 1)) { try await one(core) }
            }
            hasWatcher.change { $0 = true }
            let answer = try await one(core)
            #expect(answer == 1)
            await core.shutdown()
            await #expect(throws: PostgresError.closed) { try await one(core) }
        }
    }

    @Test("a pool without that thread shuts down immediately")
    func shutdown() async throws {
        try await withTestDatabase(migrated: false) { database in
            let core = makeCore(database, hasWatcher: Shared(false))
            core.start()
            await core.shutdown()
            await #expect(throws: PostgresError.closed) { try await one(core) }
        }
    }
}
