import Accounts
import Cryptography
import Foundation
import Logging
import Postgres
import Providers
import Synchronization
import TestSupport
import Testing

@testable import Sessions

/// A courier that does as it is told and keeps what it carried.
final class ScriptedCourier: Courier {
    enum Step: Sendable {
        case takes(String?)
        case fails(DeliveryError)
        case waits(AsyncStream<Void>)
    }

    /// What happens at each call, in turn; the last holds for all that follow.
    private let script: Mutex<[Step]>
    private let log = Mutex<[UUID]>([])

    init(_ script: Step...) { self.script = Mutex(script) }

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

@Suite("The outbox")
struct OutboxTests {
    private static let address = Destination.email(EmailAddress("ann@example.com")!)

    private func withDatabase(_ body: (TestDatabase) async throws -> Void) async throws {
        let database = try await TestDatabase.make()
        do {
            try await body(database)
        } catch {
            await database.drop()
            throw error
        }
        await database.drop()
    }

    private func outbox(_ database: TestDatabase, _ courier: ScriptedCourier) throws -> Outbox {
        Outbox(
            couriers: [.email: courier], pool: database.pool, keys: try TestKeys.keys("k1"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func store(_ database: TestDatabase) throws -> OutboxStore {
        OutboxStore(
            pool: database.pool, box: SealedBox(try TestKeys.keys("k1")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Writes a message as a service's statement would.
    private func written(_ outbox: Outbox, _ database: TestDatabase, life: Int = 600) async throws -> OutgoingMessage {
        let message = outbox.prepare(
            .code(.signIn, "042137", lifeSeconds: life), to: Self.address, language: "de", account: nil, client: "app")
        _ = try await database.pool.withConnection { try $0.execute("select enqueue(\(outgoing: message))") }
        return message
    }

    private func state(_ message: OutgoingMessage, _ database: TestDatabase) async throws -> String {
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

    private func change(_ database: TestDatabase, _ sql: SQL) async throws {
        _ = try await database.pool.withConnection { try $0.execute(sql) }
    }

    @Test("a message is written claimed and sealed, and says nothing once it is sent")
    func sent() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.takes("their-id")))
            let message = try await written(outbox, database)
            #expect(try await state(message, database) == "waiting 1 sealed claimed")
            let row = try await database.pool.withConnection { try $0.queryOne("select outbox::text from outbox")?.value(0, as: String.self) }
            #expect(row?.contains(Array("042137".utf8).map { String(format: "%02x", $0) }.joined()) == false)
            #expect(row?.contains("042137") == false)
            try await outbox.deliver(message)
            #expect(try await state(message, database) == "sent 1 their-id")
        }
    }

    @Test("no message is written for none")
    func none() async throws {
        try await withDatabase { database in
            let nothing: OutgoingMessage? = nil
            try await change(database, "select enqueue(\(outgoing: nothing))")
            let count = try await database.pool.withConnection { try $0.queryOne("select count(*) from outbox")?.value(0, as: Int.self) }
            #expect(count == 0)
        }
    }

    @Test("a refusal for good is told to whoever asked, and not tried again")
    func refused() async throws {
        try await withDatabase { database in
            let courier = ScriptedCourier(.fails(.rejected(status: 550)))
            let outbox = try outbox(database, courier)
            let message = try await written(outbox, database)
            await #expect(throws: Rejection.deliveryRefused) { try await outbox.deliver(message) }
            #expect(try await state(message, database) == "refused 1 rejected_550")
        }
    }

    static let failures: [DeliveryError] = [
        .deferred(status: 451), .unreachable, .connectionLost(mayHaveBeenDelivered: true), .authenticationFailed,
        .notServed(status: 554), .misconfigured("host"), .timedOut(mayHaveBeenDelivered: false),
    ]

    @Test("what fails for now is no error for whoever asked, and goes out later under the same id", arguments: failures)
    func retried(failure: DeliveryError) async throws {
        try await withDatabase { database in
            let courier = ScriptedCourier(.fails(failure), .takes(nil))
            let outbox = try outbox(database, courier)
            let message = try await written(outbox, database)
            try await outbox.deliver(message)
            #expect(try await state(message, database) == "waiting 1 sealed \(failure.code)")
            try await change(database, "update outbox set not_before = now()")
            try await working(outbox) {
                try await until { try await state(message, database) == "sent 2" }
            }
            #expect(courier.carried == [message.id, message.id])
        }
    }

    @Test("it is given up when the next try would come too late")
    func givenUp() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.fails(.unreachable)))
            let message = try await written(outbox, database, life: 2)
            try await outbox.deliver(message)
            #expect(try await state(message, database) == "given_up 1 unreachable")
        }
    }

    @Test("a code that is over is not sent")
    func expired() async throws {
        try await withDatabase { database in
            let courier = ScriptedCourier(.takes(nil))
            let outbox = try outbox(database, courier)
            let message = try await written(outbox, database)
            try await change(database, "update outbox set claimed_until = now() - interval '1 second', expires_at = now()")
            try await working(outbox) { try await until { try await state(message, database) == "expired 1" } }
            #expect(courier.carried.isEmpty)
        }
    }

    @Test("what a server that died left behind is sent when its lease is over, not before")
    func leftBehind() async throws {
        try await withDatabase { database in
            let courier = ScriptedCourier(.takes(nil))
            let outbox = try outbox(database, courier)
            let message = try await written(outbox, database)
            let store = try store(database)
            #expect(try await store.claim(.email, atMost: 10).isEmpty)
            try await change(database, "update outbox set claimed_until = now() - interval '1 second'")
            try await working(outbox) { try await until { try await state(message, database) == "sent 2" } }
        }
    }

    @Test("a lost claim settles nothing, but what was sent was sent")
    func lostClaim() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.takes(nil)))
            let message = try await written(outbox, database)
            try await change(database, "update outbox set claimed_until = now() - interval '1 second'")
            let store = try store(database)
            #expect(try await store.claim(.email, atMost: 10).map(\.tries) == [2])
            #expect(await store.settle(message.id, tries: 1, .refused(reason: "late"), retry: 0))
            #expect(await store.settle(message.id, tries: 1, .failed(reason: "late"), retry: 1))
            #expect(try await state(message, database) == "waiting 2 sealed claimed")
            #expect(await store.settle(message.id, tries: 1, .sent(providerID: nil), retry: 0))
            #expect(try await state(message, database) == "sent 2")
        }
    }

    @Test("two servers send none twice")
    func twoServers() async throws {
        try await withDatabase { database in
            try await change(
                database,
                """
                insert into outbox (id, medium, address, kind, detail, expires_at)
                select gen_random_uuid(), 'email', 'ann@example.com', 'notice.refresh_reuse', '{}', now() + interval '1 day'
                  from generate_series(1, 300)
                """)
            let courier = ScriptedCourier(.takes(nil))
            let (one, two) = (try outbox(database, courier), try outbox(database, courier))
            try await working(one) {
                try await working(two) {
                    try await until {
                        try await database.pool.withConnection {
                            try $0.queryOne("select count(*) from outbox where state = 'sent'")?.value(0) == 300
                        }
                    }
                }
            }
            #expect(courier.carried.count == 300)
            #expect(Set(courier.carried).count == 300)
        }
    }

    @Test("a request waits three seconds, and the message is on its way all the same; stopping waits for it")
    func slow() async throws {
        try await withDatabase { database in
            let gate = AsyncStream.makeStream(of: Void.self)
            let outbox = try outbox(database, ScriptedCourier(.waits(gate.stream)))
            let message = try await written(outbox, database)
            let time = try await ContinuousClock().measure { try await outbox.deliver(message) }
            #expect((.seconds(2.9)...(.seconds(10))).contains(time))
            #expect(try await state(message, database) == "waiting 1 sealed claimed")
            let stopping = Task { try await stopped(outbox) }
            gate.continuation.yield()
            try await stopping.value
            #expect(try await state(message, database) == "sent 1")
        }
    }

    @Test("a medium without a sender is unavailable")
    func unavailable() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.takes(nil)))
            #expect(outbox.reaches(.email) && !outbox.reaches(.sms))
            let number = try #require(PhoneNumber("+491701234567"))
            let message = outbox.prepare(.noAccount, to: .phone(number), language: "", account: nil, client: nil)
            await #expect(throws: Rejection.deliveryUnavailable) { try await outbox.deliver(message) }
        }
    }

    @Test("a notice goes to the proved addresses of its account, in the transaction of its change")
    func notices() async throws {
        try await withDatabase { database in
            let account = UUID()
            try await change(database, "insert into accounts (id) values (\(account))")
            try await change(
                database,
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                values (\(account), 'ann@example.com', 'Ann@example.com', 'person', now(), true),
                       (\(account), 'bob@example.com', 'bob@example.com', 'person', null, false)
                """)
            let courier = ScriptedCourier(.takes(nil))
            let outbox = try outbox(database, courier)
            try await change(database, "select notify_account(\(account), 'identity_linked', '{\"provider\": \"apple\"}')")
            try await working(outbox) { try await until { courier.carried.count == 1 } }
            let row = try await database.pool.withConnection {
                try $0.queryOne("select address || ' ' || kind || ' ' || coalesce(language, 'none') from outbox")?.value(0, as: String.self)
            }
            #expect(row == "Ann@example.com notice.identity_linked none")
        }
    }

    @Test("notices that waited before the outbox are moved to it")
    func moved() async throws {
        let migrations = try Migrator.bundled()
        let outbox = try #require(migrations.first { $0.file.hasSuffix("_outbox.sql") })
        let database = try await TestDatabase.make(migrated: false)
        let before = try Migrator(migrations: migrations.filter { $0.number < outbox.number })
        let account = UUID()
        let moved = try await database.pool.withConnection { connection in
            _ = try before.migrate(on: connection)
            try connection.execute(
                "insert into notices (account_id, address, kind, tries) values (\(account), 'ann@example.com', 'refresh_reuse', 3)")
            _ = try Migrator(migrations: migrations).migrate(on: connection)
            return try connection.query("select kind, address, tries, state from outbox").map {
                "\(try $0.value(0, as: String.self)) \(try $0.value(1, as: String.self)) \(try $0.value(2, as: Int.self))"
            }
        }
        await database.drop()
        #expect(moved == ["notice.refresh_reuse ann@example.com 3"])
    }

    @Test("old rows go, and what ran out unsent is told as such")
    func swept() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.takes(nil)))
            let (old, over, fresh) = (
                try await written(outbox, database), try await written(outbox, database), try await written(outbox, database)
            )
            try await change(database, "update outbox set claimed_until = null")
            try await change(database, "update outbox set created_at = now() - interval '31 days', state = 'sent' where id = \(old.id)")
            try await change(database, "update outbox set expires_at = now() - interval '1 second' where id = \(over.id)")
            try await change(database, "select sweep_outbox(5000)")
            #expect(try await state(old, database) == "gone")
            #expect(try await state(over, database) == "expired 1")
            #expect(try await state(fresh, database) == "waiting 1 sealed")
        }
    }

    @Test("a bounce is told once, of a message that was sent")
    func bounced() async throws {
        try await withDatabase { database in
            let outbox = try outbox(database, ScriptedCourier(.takes("their-id")))
            let message = try await written(outbox, database)
            let bounce: SQL = "select record_bounce('email', 'their-id', 'unknown mailbox')"
            func told() async throws -> Bool? {
                try await database.pool.withConnection { try $0.queryOne(bounce)?.value(0) }
            }
            #expect(try await told() == false)
            try await outbox.deliver(message)
            #expect(try await told() == true)
            #expect(try await told() == false)
            #expect(try await state(message, database) == "bounced 1 their-id unknown mailbox")
        }
    }

    /// Runs `body` with the workers of an outbox at work.
    private func working(_ outbox: Outbox, _ body: () async throws -> Void) async throws {
        let work = outbox.workers.map { worker in Task { try await worker.run() } }
        defer { for task in work { task.cancel() } }
        try await body()
    }

    /// What a graceful stop does once the workers look for no more.
    private func stopped(_ outbox: Outbox) async throws {
        for worker in outbox.workers { await worker.lanes.idle() }
    }

    private func until(_ isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try await !isSo() {
            guard ContinuousClock.now < end else {
                Issue.record("It did not come to pass within 20 seconds.")
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
