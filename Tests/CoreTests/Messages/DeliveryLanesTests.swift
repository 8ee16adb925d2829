import Foundation
import Postgres
import Testing

@testable import Messages

@Suite("Lanes for messages")
struct DeliveryLanesTests {
    @Test("with a slow server, notices leave half of the lanes to requests, and continue when it recovers")
    func reserve() async throws {
        let (one, other) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        try await TestOutbox.with(.waits(one.stream), .waits(other.stream), .takes(nil)) { test in
            try await test.change(
                """
                insert into outbox (id, medium, address, kind, detail, expires_at)
                select gen_random_uuid(), 'email', 'ann@example.com', 'notice.refresh_reuse', '{}', now() + interval '1 day'
                  from generate_series(1, 10)
                """)
            let lanes = test.lanes(width: 4, queueLimit: 4)
            let work = Task { try await OutboxWorker(medium: .email, lanes: lanes).run() }
            defer { work.cancel() }
            try await TestOutbox.until { test.courier.carried.count == 2 }
            #expect(lanes.roomForClaims() == 0)
            let message = try await test.write()
            #expect(await lanes.attempt(message.claimed, within: .seconds(10)) == .sent(providerID: nil))
            #expect(test.courier.carried.count == 3)
            one.continuation.finish()
            other.continuation.finish()
            try await TestOutbox.until { test.courier.carried.count == 11 }
        }
    }

    @Test("a request waits for a lane, and when too many wait its message stays in the table")
    func queue() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        try await TestOutbox.with(.waits(gate.stream), .takes(nil)) { test in
            let lanes = test.lanes(width: 1, queueLimit: 1)
            let (first, second, third) = (
                try await test.write(), try await test.write(), try await test.write()
            )
            #expect(await lanes.attempt(first.claimed, within: .zero) == nil)
            #expect(await lanes.attempt(second.claimed, within: .zero) == nil)
            #expect(await lanes.attempt(third.claimed, within: .seconds(60)) == nil)
            gate.continuation.finish()
            await lanes.idle()
            #expect(test.courier.carried == [first.id, second.id])
            #expect(try await test.state(second) == "sent 1")
            #expect(try await test.state(third) == "waiting 1 sealed claimed")
        }
    }

    @Test("a stop leaves queued messages to the next holder of their lease")
    func stop() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        try await TestOutbox.with(.waits(gate.stream), .takes(nil)) { test in
            let lanes = test.lanes(width: 1, queueLimit: 1)
            let (first, second, third) = (
                try await test.write(), try await test.write(), try await test.write()
            )
            #expect(await lanes.attempt(first.claimed, within: .zero) == nil)
            let waiting = Task { await lanes.attempt(second.claimed, within: .seconds(120)) }
            try await TestOutbox.until { lanes.depth == 1 }
            let start = ContinuousClock.now
            lanes.stop()
            #expect(await waiting.value == nil)
            #expect(await lanes.attempt(third.claimed, within: .seconds(120)) == nil)
            // Far less than the wait of either for a lane.
            #expect(ContinuousClock.now - start < .seconds(60))
            gate.continuation.finish()
            await lanes.idle()
            #expect(test.courier.carried == [first.id])
            #expect(try await test.state(second) == "waiting 1 sealed claimed")
            try await test.change(
                "update outbox set claimed_until = now() - interval '1 second' where state = 'waiting'")
            try await test.working {
                try await TestOutbox.until { try await test.state(second) == "sent 2" }
                try await TestOutbox.until { try await test.state(third) == "sent 2" }
            }
        }
    }

    @Test("a cancelled worker does not wait for a silent mail server")
    func cancelled() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        try await TestOutbox.with(.waits(gate.stream)) { test in
            let lanes = test.lanes(width: 1, queueLimit: 1)
            let message = try await test.write()
            #expect(await lanes.attempt(message.claimed, within: .zero) == nil)
            // Sends the message if a worker waits for it despite the cancellation.
            let rescue = Task {
                try await Task.sleep(for: .seconds(60))
                gate.continuation.finish()
            }
            let work = Task { try await OutboxWorker(medium: .email, lanes: lanes).run() }
            work.cancel()
            _ = await work.result
            rescue.cancel()
            #expect(try await test.state(message) == "waiting 1 sealed claimed")
            gate.continuation.finish()
            await lanes.idle()
            #expect(try await test.state(message) == "sent 1")
        }
    }

    @Test("a message near the end of its lease is left to the next server")
    func late() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let claimed = try await test.write().claimed
            let old = ClaimedMessage(
                id: claimed.id, destination: claimed.destination, content: claimed.content, language: nil, client: nil,
                tries: 1, claimedAt: .now - Lease.lastStart)
            #expect(await test.lanes(width: 1, queueLimit: 1).attempt(old, within: .seconds(10)) == nil)
            #expect(test.courier.carried.isEmpty)
        }
    }
}
