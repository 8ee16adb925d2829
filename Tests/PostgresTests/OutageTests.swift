import TestSupport
import Testing

@testable import Postgres

/// Every test here kills its own server.
@Suite struct OutageTests {
    private func withPool(
        _ cluster: PrivateCluster, connections: Int = 8, request: Duration = .seconds(10),
        _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        let configuration = PostgresConfiguration(
            url: cluster.url, maximumConnections: connections, acquireTimeout: .seconds(10), requestTimeout: request)
        let pool = ConnectionPool(configuration: configuration, logger: .silent)
        try await body(pool)
        await pool.shutdown()
    }

    private func one(_ pool: ConnectionPool) async throws -> Int {
        try await pool.withConnection { try $0.queryOne("select 1")?.value(0) ?? 0 }
    }

    /// The time until a statement succeeds again.
    private func recovery(_ pool: ConnectionPool) async throws -> Duration {
        try await ContinuousClock().measure {
            while (try? await one(pool)) == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test("A-05: the server is killed under load: fast failures while it is down, then automatic recovery within 5 s")
    func killedUnderLoad() async throws {
        try await withPrivateCluster { cluster in
            try await withPool(cluster) { pool in
                let answer = try await one(pool)
                #expect(answer == 1)
                let isOver = Shared(false)
                let slowest = Shared(Duration.zero)
                let strange = Shared<[PostgresError]>([])
                try await withThrowingTaskGroup { group in
                    for _ in 0..<32 {
                        group.addTask {
                            while !isOver.value {
                                let start = ContinuousClock.now
                                do {
                                    _ = try await self.one(pool)
                                } catch PostgresError.unavailable(let seconds) where (1...3).contains(seconds) {
                                    let time = ContinuousClock.now - start
                                    slowest.change { $0 = max($0, time) }
                                    try await Task.sleep(for: .milliseconds(2))
                                } catch PostgresError.connectionLost {
                                    continue
                                } catch PostgresError.cancelled {
                                    return
                                } catch let error as PostgresError {
                                    strange.change { $0.append(error) }
                                }
                            }
                        }
                    }
                    try await cluster.kill()
                    while pool.isHealthy { try await Task.sleep(for: .milliseconds(1)) }
                    let attempts = pool.statistics.counts.attempts
                    try await Task.sleep(for: .seconds(3))
                    // Pauses of 25 ms at least, doubling to 1 s at least: fewer than twelve attempts in 3 s.
                    #expect(pool.statistics.counts.attempts - attempts < 12)
                    try await cluster.start()
                    let pause = try await self.recovery(pool)
                    #expect(pause < .seconds(5))
                    isOver.change { $0 = true }
                    try await group.waitForAll()
                }
                // Far below the ten seconds of waiting for a connection, with room for a slow machine.
                #expect(slowest.value < .seconds(5))
                #expect(strange.value == [])
                #expect(pool.isHealthy)
            }
        }
    }

    @Test("A-05: an idle pool notices an outage and a recovery without requests")
    func killedWhileIdle() async throws {
        try await withPrivateCluster { cluster in
            try await withPool(cluster) { pool in
                let answer = try await one(pool)
                #expect(answer == 1)
                try await cluster.kill()
                while pool.isHealthy { try await Task.sleep(for: .milliseconds(1)) }
                // By now it has retried at least once, after growing pauses.
                let error = await #expect(throws: PostgresError.self) { _ = try await one(pool) }
                guard case .unavailable(let seconds) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect((1...30).contains(seconds))
                try await cluster.start()
                while !pool.isHealthy { try await Task.sleep(for: .milliseconds(1)) }
                let again = try await one(pool)
                #expect(again == 1)
            }
        }
    }

    @Test("A-05: nothing acknowledged is lost, and nothing runs twice, when the server is killed while it commits")
    func acknowledgedIsKept() async throws {
        try await withPrivateCluster { cluster in
            try await withPool(cluster) { pool in
                try await pool.withConnection { try $0.executeScript("create table notes (id bigint primary key)") }
                let kept = Shared<Set<Int>>([])
                let undone = Shared<Set<Int>>([])
                let next = Shared(0)
                let isOver = Shared(false)
                try await withThrowingTaskGroup { group in
                    for _ in 0..<16 {
                        group.addTask {
                            while !isOver.value {
                                let id = next.change { last in
                                    last += 1
                                    return last
                                }
                                do {
                                    try await pool.withTransaction {
                                        try $0.execute("insert into notes values (\(id))")
                                    }
                                    kept.change { _ = $0.insert(id) }
                                } catch PostgresError.connectionLost(maybeCommitted: true) {
                                    continue
                                } catch {
                                    undone.change { _ = $0.insert(id) }
                                    try await Task.sleep(for: .milliseconds(2))
                                }
                            }
                        }
                    }
                    while kept.value.count < 500 { try await Task.sleep(for: .milliseconds(1)) }
                    try await cluster.kill()
                    isOver.change { $0 = true }
                    try await group.waitForAll()
                }
                try await cluster.start()
                _ = try await recovery(pool)
                let stored = Set(
                    try await pool.withConnection { connection in
                        try connection.query("select id from notes").map { try $0.value(0, as: Int.self) }
                    })
                #expect(kept.value.isSubset(of: stored))
                #expect(undone.value.isDisjoint(with: stored))
            }
        }
    }

    @Test(
        "A-05: a hanging server doesn't block requests: they end at their deadline, and recovery is automatic")
    func frozen() async throws {
        try await withPrivateCluster { cluster in
            try await withPool(cluster, connections: 1, request: .milliseconds(300)) { pool in
                let answer = try await one(pool)
                #expect(answer == 1)
                try await cluster.freeze()
                await #expect(throws: PostgresError.connectionLost(maybeCommitted: true)) { _ = try await one(pool) }
                try await cluster.thaw()
                let pause = try await recovery(pool)
                #expect(pause < .seconds(5))
            }
        }
    }

    @Test("A-05: a pool that starts before its server refuses immediately and connects later")
    func startsFirst() async throws {
        try await withPrivateCluster { cluster in
            try await cluster.kill()
            try await withPool(cluster) { pool in
                // The wait grows with the attempts, and there may have been several by now.
                await #expect {
                    _ = try await one(pool)
                } throws: { error in
                    guard case .unavailable = error as? PostgresError else { return false }
                    return true
                }
                #expect(!pool.isHealthy)
                try await cluster.start()
                let pause = try await recovery(pool)
                #expect(pause < .seconds(5))
            }
        }
    }

    @Test("A-05: the listener reports the outage and the recovery, and receives notifications again")
    func listener() async throws {
        try await withPrivateCluster { cluster in
            let configuration = PostgresConfiguration(url: cluster.url)
            let listener = NotificationListener(configuration: configuration, channels: ["news"], logger: .silent)
            listener.start()
            var events = listener.news
            #expect(await events.next() == .connected)
            #expect(listener.isConnected)
            try await cluster.kill()
            #expect(await events.next() == .disconnected)
            #expect(!listener.isConnected)
            try await cluster.start()
            #expect(await events.next() == .connected)
            try await SingleConnection.run(configuration) { _ = try $0.execute("select pg_notify('news', 'hello')") }
            #expect(await events.next() == .notification(channel: "news", payload: "hello"))
            await listener.shutdown()
            #expect(await events.next() == .disconnected)
            #expect(await events.next() == nil)
        }
    }

    @Test("A-05: the listener notices a server that hangs")
    func listenerFrozen() async throws {
        try await withPrivateCluster { cluster in
            let listener = NotificationListener(
                configuration: PostgresConfiguration(url: cluster.url), channels: ["news"], logger: .silent)
            listener.start()
            var events = listener.news
            #expect(await events.next() == .connected)
            try await cluster.freeze()
            #expect(await events.next() == .disconnected)
            try await cluster.thaw()
            #expect(await events.next() == .connected)
            await listener.shutdown()
        }
    }
}
