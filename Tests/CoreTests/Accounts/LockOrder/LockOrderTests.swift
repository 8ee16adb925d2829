import Logging
import Synchronization
import TestSupport
import Testing

@testable import Postgres

/// One order of locks (`docs/architecture.md`), seen from outside: a function that waits for a lock holds no later one.
///
/// These tests try every function with a part of the locks and of the other functions; ``LockOrderLongTests`` with all.
@Suite("The order of locks", .timeLimit(.minutes(10)))
struct LockOrderTests {
    /// A lockable resource, with its place in the order.
    private struct Lock: Sendable {
        let name: String
        let rank: Double
        /// Takes the lock.
        let statement: String
        /// A table and the SQL of a key, or nil and the SQL of an advisory lock's number.
        let table: String?
        let key: String
    }

    private static let locks: [Lock] = [erasures] + identities + addresses + accounts + others + sessions

    private static let erasures: Lock = {
        let key = "hashtextextended('erasures', 7)"
        return Lock(
            name: "erasures", rank: 0, statement: "select pg_advisory_xact_lock(\(key))", table: nil, key: key)
    }()

    private static let identities = [1, 2].flatMap { n in
        [("apple", "R", "s-\(n)"), ("google", "G", "g-\(n)"), ("google", "G", "u-\(n)"), ("apple", "R2", "n-\(n)")].map
        {
            let key = "hashtextextended(concat_ws(chr(1), '\($0)', '\($1)', '\($2)'), 1)"
            return Lock(
                name: "identity \($2)", rank: 1, statement: "select pg_advisory_xact_lock(\(key))", table: nil, key: key
            )
        }
    }

    private static let addresses = ["shared@example.org"].map { address in
        let key = "hashtextextended('\(address)', 2)"
        return Lock(
            name: "address", rank: 2, statement: "select pg_advisory_xact_lock(\(key))", table: nil, key: key)
    }

    /// In the order of their ids.
    private static let accounts = [1, 2, 3, 5, 6].map { row("account", 3 + Double($0) / 10, "accounts", 1, $0) }

    private static let others = [1, 2].flatMap { n in
        [4, 5, 6, 7, 8, 9].map { row("flow", 4, "flows", $0, n) }
            + [10, 11, 16].map { row("change", 4, "account_changes", $0, n) }
    }

    /// Several are locked in the order of their ids.
    ///
    /// A change and a flow belong to one account, which is locked before them.
    private static let sessions = [(3, 1), (3, 2), (15, 1), (15, 2)].enumerated().map { place, id in
        row("session", 4 + Double(place + 1) / 10, "sessions", id.0, id.1)
    }

    private static func row(_ name: String, _ rank: Double, _ table: String, _ kind: Int, _ n: Int) -> Lock {
        Lock(
            name: "\(name) \(kind)/\(n)", rank: rank,
            statement: "select from \(table) where id = fid(\(kind), \(n)) for update",
            table: table, key: "fid(\(kind), \(n))")
    }

    @Test("D9: no function that waits for an identity, account, flow or session holds a later lock")
    func order() async throws {
        try await Self.expectOrder(every: 8)
    }

    /// - Parameter step: 1 tries each function with every lock; 8 with every eighth, from a different one on.
    static func expectOrder(every step: Int) async throws {
        try await withTestDatabase { database in
            let runner = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
            let (holder, probe) = try (Connection(database.configuration()), Connection(database.configuration()))
            try holder.executeScript(LockFixture.script)
            let runnerID = try await runner.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int32.self)
            }
            let backend = try #require(runnerID)
            var (met, broken): (Set<String>, [String]) = ([], [])
            for (number, call) in try WritingCall.all(probe).enumerated() {
                for (place, lock) in locks.enumerated() where (place + number).isMultiple(of: step) {
                    try holder.executeScript("begin; \(lock.statement)")
                    let run = Run(call, on: runner)
                    if try await run.waits(backend, probe) {
                        met.insert(call.name)
                        for held in try Self.held(by: backend, besides: lock, probe)
                        where held.rank > lock.rank && lock.rank != 4 {
                            broken.append("\(call.name) \(call.account) holds \(held.name) and waits for \(lock.name)")
                        }
                    }
                    try holder.executeScript("rollback")
                    await run.end()
                }
            }
            #expect(broken == [])
            // With every lock, most functions wait for one.
            #expect(met.count >= 50 / step, "\(met.sorted())")
            await runner.shutdown()
        }
    }

    @Test("D9: no function strengthens its lock of an account, which could deadlock")
    func strength() async throws {
        try await withTestDatabase { database in
            let runner = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
            let (holder, probe) = try (Connection(database.configuration()), Connection(database.configuration()))
            try holder.executeScript(LockFixture.script)
            let backend = try await runner.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int32.self)
            }
            var broken: [String] = []
            for call in try WritingCall.all(probe) {
                for account in ["fid(1, 1)", "fid(1, 2)"] {
                    // Two sessions may hold the weakest lock together with any stronger one except the strongest.
                    try holder.executeScript("begin; select from accounts where id = \(account) for key share")
                    let run = Run(call, on: runner)
                    if try await run.waits(try #require(backend), probe) {
                        let free = try probe.queryOne(
                            "select from accounts where id = \(unsafeSQL: account) for share skip locked")
                        if free == nil { broken.append("\(call.name) \(call.account) holds \(account) already") }
                    }
                    try holder.executeScript("rollback")
                    await run.end()
                }
            }
            #expect(broken == [])
            await runner.shutdown()
        }
    }

    @Test("D9: no pair of writing functions deadlocks")
    func pairs() async throws {
        try await Self.expectNoDeadlock(every: 8)
    }

    /// - Parameter step: 1 tries each function beside every other; 8 beside every eighth, from a different one on.
    static func expectNoDeadlock(every step: Int) async throws {
        try await withTestDatabase { database in
            let setUp = try Connection(database.configuration())
            try setUp.executeScript(LockFixture.script)
            let calls = try WritingCall.all(setUp)
            for (number, call) in calls.enumerated() where call.account == 1 {
                let others = calls.enumerated().filter { ($0.offset + number).isMultiple(of: step) }.map(\.element)
                // The same call many times, each time concurrent with one of the others.
                let victims = try await Self.victims(
                    of: Array(repeating: call, count: others.count), beside: others, in: database)
                #expect(victims == [], "beside \(call.name)")
            }
        }
    }

    @Test(
        "D9: erasures of two accounts with common changes don't deadlock"
    )
    func erasures() async throws {
        try await withTestDatabase { database in
            let setUp = try Connection(database.configuration())
            try setUp.executeScript(LockFixture.script)
            let erasures = try WritingCall.all(setUp).filter {
                ["begin_deletion", "request_deletion"].contains($0.name)
            }
            let (ones, others) = (erasures.filter { $0.account == 1 }, erasures.filter { $0.account == 2 })
            try #require(ones.count == 2 && others.count == 2)
            for one in ones {
                for other in others {
                    let victims = try await Self.victims(
                        of: Array(repeating: one, count: 100), beside: Array(repeating: other, count: 100), in: database
                    )
                    #expect(victims == [], "\(one.name) beside \(other.name)")
                }
            }
        }
    }

    /// Runs two sequences of calls concurrently, each on its own connection.
    ///
    /// - Returns: the calls that the server ended for a deadlock.
    private static func victims(
        of ones: [WritingCall], beside others: [WritingCall], in database: TestDatabase
    ) async throws -> [String] {
        let (left, right) = (
            ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent),
            ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
        )
        async let one = deadlocks(ones, left)
        async let other = deadlocks(others, right)
        let victims = try await one + other
        await left.shutdown()
        await right.shutdown()
        return victims
    }

    /// Runs calls one after the other and rolls them back.
    ///
    /// - Returns: the calls that the server ended for a deadlock.
    private static func deadlocks(_ calls: [WritingCall], _ pool: ConnectionPool) async throws -> [String] {
        try await pool.withConnection { connection in
            try connection.executeScript("set deadlock_timeout = '50ms'")
            return calls.compactMap { call in
                defer { try? connection.executeScript("rollback") }
                do {
                    try connection.executeScript("begin; \(call.text)")
                    return nil
                } catch let error as PostgresError {
                    return error.state == .deadlockDetected ? "\(call.name) \(call.account)" : nil
                } catch {
                    return nil
                }
            }
        }
    }

    /// A call in its own transaction, rolled back.
    private struct Run: Sendable {
        private let task: Task<Void, Never>
        private let hasEnded = Ended()

        private final class Ended: Sendable {
            let flag = Atomic(false)
        }

        init(_ call: WritingCall, on runner: ConnectionPool) {
            task = Task { [hasEnded] in
                _ = try? await runner.withConnection { try $0.executeScript("begin; \(call.text); rollback") }
                hasEnded.flag.store(true, ordering: .releasing)
            }
        }

        /// False if it ended without waiting for a row or an advisory lock.
        ///
        /// PostgreSQL's own locks, such as for the growth of a table, are no part of the order.
        func waits(_ backend: Int32, _ probe: Connection) async throws -> Bool {
            try await poll(within: .seconds(60), every: .microseconds(200)) {
                if hasEnded.flag.load(ordering: .acquiring) { return false }
                let row = try probe.queryOne(
                    """
                    select from pg_stat_activity
                     where pid = \(backend) and wait_event_type = 'Lock' and wait_event in ('advisory', 'transactionid', 'tuple')
                    """)
                return row == nil ? nil : true
            }
        }

        func end() async { await task.value }
    }

    private static func held(by backend: Int32, besides waited: Lock, _ probe: Connection) throws -> [Lock] {
        try locks.filter { lock in
            guard lock.name != waited.name else { return false }
            guard let table = lock.table else {
                return try probe.queryOne(
                    """
                    select from pg_locks
                     where pid = \(backend) and locktype = 'advisory' and granted
                       and ((classid::bigint << 32) | objid::bigint) = \(unsafeSQL: lock.key)
                    """) != nil
            }
            let exists = try probe.queryOne("select from \(unsafeSQL: table) where id = \(unsafeSQL: lock.key)")
            let free = try probe.queryOne(
                "select from \(unsafeSQL: table) where id = \(unsafeSQL: lock.key) for update skip locked")
            return exists != nil && free == nil
        }
    }
}
