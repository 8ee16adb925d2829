import Foundation
import TestSupport
import Testing

@testable import Messages
@testable import Outbound
@testable import Postgres
@testable import Vocabulary

@Suite("The outbox")
struct OutboxTests {
    @Test("a message is stored leased and sealed, and its content is deleted once it is sent")
    func sent() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            #expect(try await test.state(message) == "waiting 1 sealed claimed")
            let row = try await test.database.pool.withConnection {
                try $0.queryOne("select outbox::text from outbox")?.value(0, as: String.self)
            }
            #expect(row?.contains(Array("042137".utf8).map { String(format: "%02x", $0) }.joined()) == false)
            #expect(row?.contains("042137") == false)
            try await test.outbox.deliver(message)
            // The request waits three seconds at most.
            await test.idle()
            #expect(try await test.state(message) == "sent 1 their-id")
        }
    }

    @Test("a missing message stores no row")
    func none() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let nothing: OutgoingMessage? = nil
            try await test.change("select enqueue(\(outgoing: nothing))")
            let count = try await test.database.pool.withConnection {
                try $0.queryOne("select count(*) from outbox")?.value(0, as: Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test("a permanent refusal is returned to the caller, and not retried")
    func refused() async throws {
        try await TestOutbox.with(.fails(.rejected(status: 550))) { test in
            let message = try await test.write()
            await #expect(throws: Rejection.deliveryRefused) { try await test.outbox.deliver(message) }
            #expect(try await test.state(message) == "refused 1 rejected_550")
        }
    }

    static let failures: [DeliveryError] = [
        .deferred(status: 451), .unreachable, .connectionLost(mayHaveBeenDelivered: true), .authenticationFailed,
        .notServed(status: 554), .misconfigured("host"), .timedOut(mayHaveBeenDelivered: false),
    ]

    @Test(
        "a temporary failure is no error for the caller; the message is sent later under the same id",
        arguments: failures)
    func retried(failure: DeliveryError) async throws {
        try await TestOutbox.with(.fails(failure), .takes(nil)) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            #expect(try await test.state(message) == "waiting 1 sealed \(failure.code)")
            try await test.change("update outbox set not_before = now()")
            try await test.working {
                try await TestOutbox.until { try await test.state(message) == "sent 2" }
            }
            #expect(test.courier.carried == [message.id, message.id])
        }
    }

    @Test("it is dropped if the next attempt would be too late")
    func givenUp() async throws {
        try await TestOutbox.with(.fails(.unreachable)) { test in
            let message = try await test.write(life: 2)
            try await test.outbox.deliver(message)
            #expect(try await test.state(message) == "given_up 1 unreachable")
        }
    }

    @Test("a request waits three seconds while the delivery continues, and a stop waits for the delivery")
    func slow() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        try await TestOutbox.with(.waits(gate.stream)) { test in
            let message = try await test.write()
            let time = try await ContinuousClock().measure { try await test.outbox.deliver(message) }
            #expect((.seconds(2.9)...(.seconds(30))).contains(time))
            #expect(try await test.state(message) == "waiting 1 sealed claimed")
            let stopping = Task { await test.idle() }
            gate.continuation.yield()
            await stopping.value
            #expect(try await test.state(message) == "sent 1")
        }
    }

    @Test("a medium without a sender is unavailable")
    func unavailable() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            #expect(test.outbox.reaches(.email) && !test.outbox.reaches(.sms))
            let number = try #require(PhoneNumber("+491701234567"))
            let message = test.outbox.prepare(.noAccount, to: .phone(number), language: "", account: nil, client: nil)
            await #expect(throws: Rejection.deliveryUnavailable) { try await test.outbox.deliver(message) }
        }
    }
}
