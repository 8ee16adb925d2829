import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Cryptography
@testable import Messages
@testable import Outbound
@testable import Postgres
@testable import Vocabulary

/// A courier with a script that records its messages.
final class ScriptedCourier: Courier {
    enum Step: Sendable {
        case takes(String?)
        case fails(DeliveryError)
        case waits(AsyncStream<Void>)
    }

    /// The result of each call, in order; the last one applies to all later calls.
    private let script: Mutex<[Step]>
    private let log = Mutex<[UUID]>([])

    init(_ script: [Step]) { self.script = Mutex(script) }

    var carried: [UUID] { log.withLock { $0 } }

    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String? {
        log.withLock { $0.append(message.id) }
        switch script.withLock({ $0.count > 1 ? $0.removeFirst() : $0[0] }) {
        case .takes(let id): return id
        case .fails(let error): throw error
        case .waits(let gate):
            for await _ in gate { break }
            return nil
        }
    }
}

/// An outbox with its own database and a scripted courier.
struct TestOutbox: Sendable {
    let database: TestDatabase
    let courier: ScriptedCourier
    let outbox: Outbox
    let store: OutboxStore
    private let keys: MasterKeys
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private init(_ database: TestDatabase, _ courier: ScriptedCourier) throws {
        (self.database, self.courier, keys) = (database, courier, try TestKeys.keys("k1"))
        outbox = Outbox(couriers: [.email: courier], pool: database.pool, keys: keys, logger: logger)
        store = OutboxStore(pool: database.pool, box: SealedBox(keys), logger: logger)
    }

    static func with(_ script: ScriptedCourier.Step..., body: (TestOutbox) async throws -> Void) async throws {
        let database = try await TestDatabase.make()
        do {
            try await body(TestOutbox(database, ScriptedCourier(script)))
        } catch {
            await database.drop()
            throw error
        }
        await database.drop()
    }

    /// The outbox of another server with the same database.
    func anotherOutbox() -> Outbox {
        Outbox(couriers: [.email: courier], pool: database.pool, keys: keys, logger: logger)
    }

    func lanes(width: Int, queueLimit: Int) -> DeliveryLanes {
        DeliveryLanes(
            Dispatcher(courier: courier, store: store, logger: logger), width: width, queueLimit: queueLimit)
    }

    /// Stores a message like a service's statement.
    func write(life: Int = 600) async throws -> OutgoingMessage {
        let address = try #require(EmailAddress("ann@example.com"))
        let message = outbox.prepare(
            .code(.signIn, "042137", lifeSeconds: life), to: .email(address), language: "de", account: nil,
            client: "app")
        try await change("select enqueue(\(outgoing: message))")
        return message
    }

    /// State, attempts, sealed and leased parts, delivery id and refusal of a message's row.
    func state(_ message: OutgoingMessage) async throws -> String {
        let id = message.id
        return try await database.pool.withConnection { connection in
            try connection.queryOne(
                """
                select concat_ws(' ', state, tries, case when sealed is not null then 'sealed' end,
                                 case when claimed_until > now() then 'claimed' end, provider_id, refusal)
                  from outbox where id = \(id)
                """)?.value(0) ?? "gone"
        }
    }

    func change(_ sql: SQL) async throws {
        _ = try await database.pool.withConnection { try $0.execute(sql) }
    }

    /// Runs `body` with the workers of an outbox.
    func working(_ outbox: Outbox? = nil, _ body: () async throws -> Void) async throws {
        let work = (outbox ?? self.outbox).workers.map { worker in Task { try await worker.run() } }
        defer { for task in work { task.cancel() } }
        try await body()
    }

    /// Waits like a graceful stop after the workers' end.
    func idle() async {
        for worker in outbox.workers { await worker.lanes.idle() }
    }

    static func until(_ isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !isSo() {
            guard ContinuousClock.now < end else {
                Issue.record("It did not come to pass within two minutes.")
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
