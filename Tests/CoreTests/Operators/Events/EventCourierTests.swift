import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Operators
@testable import Outbound

@Suite("Outgoing events", .timeLimit(.minutes(5)))
struct EventCourierTests {
    /// The expected `webhook-signature`, by another implementation: Python's.
    private static func signature(_ posted: ScriptedReceiver.Posted, _ secret: String) async throws -> String {
        let script = """
            import base64, hashlib, hmac, sys
            secret, id, time, body = sys.argv[1:]
            key = base64.b64decode(secret.removeprefix("whsec_"))
            print("v1," + base64.b64encode(hmac.new(key, f"{id}.{time}.{body}".encode(), hashlib.sha256).digest()).decode(), end="")
            """
        let time = posted.headers["webhook-timestamp"] ?? ""
        let printed = try await ChildProcess.run(["python3", "-c", script, secret, posted.id, time, posted.body])
        return String(decoding: printed, as: UTF8.self)
    }

    @Test("a delivery's signature matches another implementation, and both secrets sign for a day after a replacement")
    func signed() async throws {
        try await withEvents { events in
            let (id, first) = try await events.endpoint()
            try await events.append(1)
            try await events.courier.deliverDue()
            let posted = try #require(events.receiver.posted.first)
            #expect(posted.headers["webhook-signature"] == (try await Self.signature(posted, first)))
            let second = try await events.desk.replaceSecret(id, because: EventFixture.reason, by: EventFixture.actor)
            try await events.append(1)
            try await events.courier.deliverDue()
            let both = try #require(events.receiver.posted.last)
            let expected = [
                try await Self.signature(both, second.secret), try await Self.signature(both, first),
            ]
            #expect(both.headers["webhook-signature"] == expected.joined(separator: " "))
            try await events.audit.run("update event_endpoints set former_until = now()")
            try await events.append(1)
            try await events.courier.deliverDue()
            let last = try #require(events.receiver.posted.last)
            #expect(last.headers["webhook-signature"] == (try await Self.signature(last, second.secret)))
        }
    }

    /// An answer, and its record.
    static let failures: [(answer: Result<Int, TransferError>, status: Int?, error: String)] = [
        (.success(500), 500, "status"), (.success(404), 404, "status"), (.success(429), 429, "status"),
        (.failure(.redirectRefused), nil, "redirect_refused"), (.failure(.timedOut), nil, "timed_out"),
        (.failure(.addressRefused), nil, "address_refused"), (.failure(.responseTooLarge), nil, "response_too_large"),
    ]

    @Test("a failed delivery waits and is retried with its id", arguments: failures.indices)
    func repeated(index: Int) async throws {
        let failure = Self.failures[index]
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(1)
            events.receiver.answers { _ throws(TransferError) in HTTPResponse(status: try failure.answer.get()) }
            try await events.courier.deliverDue()
            let waiting = try await Self.only(events, id)
            #expect(waiting["state"] == "waiting" && waiting["tries"] == 1)
            #expect(waiting["last_status"] == failure.status.map(JSON.integer) ?? .null)
            #expect(waiting["last_error"] == .string(failure.error))
            #expect(try await events.desk.list(by: EventFixture.actor)[0]["failing_since"]?.string != nil)
            // Not before its time, on any machine.
            try await events.audit.run("update event_deliveries set not_before = not_before + interval '1 hour'")
            try await events.courier.deliverDue()
            #expect(events.receiver.posted.count == 1)
            events.receiver.answers { _ in HTTPResponse(status: 200) }
            try await events.becomeDue()
            try await events.courier.deliverDue()
            #expect(try await Self.only(events, id)["state"] == "delivered")
            #expect(events.receiver.posted.count == 2 && Set(events.receiver.posted.map(\.id)).count == 1)
            #expect(try await events.desk.list(by: EventFixture.actor)[0]["failing_since"] == .null)
        }
    }

    @Test("after three days a delivery fails, and an operator can replay it")
    func dead() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(2)
            try await events.audit.run("update event_deliveries set give_up_at = now()")
            events.receiver.answers { _ in HTTPResponse(status: 503) }
            try await events.courier.deliverDue()
            #expect(try await events.deliveries() == ["dead session.created", "dead session.created"])
            events.receiver.answers { _ in HTTPResponse(status: 200) }
            try await events.courier.deliverDue()
            #expect(events.receiver.posted.count == 2)
            let count = try await events.desk.replay(
                endpoint: id, from: nil, to: nil, because: EventFixture.reason, by: EventFixture.actor)
            #expect(count == 2)
            try await events.courier.deliverDue()
            #expect(try await events.deliveries() == ["delivered session.created", "delivered session.created"])
            #expect(Set(events.receiver.posted.map(\.id)).count == 2)
            // No delivery has failed any more; a time span also includes delivered ones.
            let none = try await events.desk.replay(
                endpoint: id, from: nil, to: nil, because: EventFixture.reason, by: EventFixture.actor)
            let span = try await events.desk.replay(
                endpoint: id, from: .distantPast, to: nil, because: EventFixture.reason, by: EventFixture.actor)
            #expect((none, span) == (0, 2))
        }
    }

    @Test("an endpoint that answers 410 is disabled, audited, and receives nothing more")
    func gone() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(1)
            events.receiver.answers { _ in HTTPResponse(status: 410) }
            try await events.courier.deliverDue()
            #expect(try await Self.only(events, id)["state"] == "dead")
            #expect(try await events.desk.list(by: EventFixture.actor)[0]["disabled"] == true)
            let rows = try await events.audit.number(
                "select count(*) from audit_events where action = 'event_endpoint_disabled' and reason = 'gone'")
            #expect(rows == 1)
            try await events.append(1)
            #expect(try await events.deliveries().count == 1)
        }
    }

    @Test("a hanging receiver delays no other, and has a limited number of deliveries")
    func slow() async throws {
        try await withEvents { events in
            try await events.endpoint("slow")
            try await events.endpoint("quick")
            try await events.append(30)
            events.receiver.answers { posted in
                // It hangs until the courier is cancelled.
                if posted.url.contains("slow") { try? await Task.sleep(for: .seconds(3_600)) }
                return HTTPResponse(status: 200)
            }
            let courier = events.courier
            let running = Task { try await courier.run() }
            while events.receiver.posted.filter({ $0.url.contains("quick") }).count < 30 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let slow = events.receiver.posted.filter { $0.url.contains("slow") }
            #expect(slow.count <= 8)
            running.cancel()
            _ = try? await running.value
        }
    }

    @Test("the backlog of a paused endpoint isn't leased repeatedly")
    func leftAlone() async throws {
        try await withEvents { events in
            try await events.endpoint()
            try await events.append(50)
            events.receiver.answers { _ in HTTPResponse(status: 503) }
            // Open for the whole test, on any machine.
            let courier = events.courier(
                .init(coolDown: .seconds(3_600), maximumCoolDown: .seconds(3_600), jitter: 0))
            try await courier.deliverDue()
            let sends = events.receiver.posted.count
            #expect((5...8).contains(sends))
            for _ in 0..<10 { try await courier.deliverDue() }
            #expect(events.receiver.posted.count == sends)
            let untouched = try await events.audit.number(
                "select count(*) from event_deliveries where tries = 0 and last_error is null")
            #expect(untouched == 42)
            // The pause belongs to the address: another one has no history.
            try await events.audit.run("update event_endpoints set url = 'https://ducks.org/elsewhere'")
            events.receiver.answers { _ in HTTPResponse(status: 200) }
            try await courier.deliverDue()
            #expect(events.receiver.posted.count == sends + 8)
        }
    }

    @Test("a backlog is delivered when the receiver recovers")
    func wellAgain() async throws {
        try await withEvents { events in
            try await events.endpoint()
            try await events.append(50)
            events.receiver.answers { _ in HTTPResponse(status: 503) }
            let courier = events.courier(
                .init(coolDown: .milliseconds(200), maximumCoolDown: .milliseconds(200), jitter: 0))
            let running = Task { try await courier.run() }
            _ = try await poll { events.receiver.posted.count >= 6 ? true : nil }
            events.receiver.answers { _ in HTTPResponse(status: 200) }
            _ = try await poll { () -> Bool? in
                // Ends the pauses, not the circuit; running deliveries stay leased.
                try await events.audit.run(
                    """
                    update event_deliveries set not_before = now() where state = 'waiting' and claimed_until is null
                    """)
                return try await events.deliveries().contains("waiting session.created") ? nil : true
            }
            running.cancel()
            _ = try? await running.value
            #expect(Set(events.receiver.posted.map(\.id)).count == 50)
        }
    }

    @Test("two servers deliver each event once")
    func twoServers() async throws {
        try await withEvents { events in
            try await events.endpoint()
            try await events.append(100)
            let (one, two) = (events.courier, events.courier)
            let running = Task {
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask { try await one.run() }
                    group.addTask { try await two.run() }
                }
            }
            while try await events.deliveries().contains("waiting session.created") {
                try await Task.sleep(for: .milliseconds(5))
            }
            running.cancel()
            _ = try? await running.value
            #expect(events.receiver.posted.count == 100 && Set(events.receiver.posted.map(\.id)).count == 100)
        }
    }

    @Test("an unsettled lease ends, the delivery is retried with its id, and the old lease settles nothing")
    func lease() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(1)
            let store = EventDeliveryStore(pool: events.pool, box: .init(events.audit.keys))
            let lost = try #require(try await store.claim().first)
            #expect(try await store.claim().isEmpty)
            try await events.audit.run("update event_deliveries set not_before = now(), claimed_until = now()")
            let next = try #require(try await store.claim().first)
            #expect(next.id == lost.id && next.tries == 2)
            try await store.settle(lost, .failed(status: 500, error: "status"), pause: 5)
            #expect(try await Self.only(events, id)["last_status"] == .null)
            try await store.settle(next, .delivered(status: 200), pause: 0)
            #expect(try await Self.only(events, id)["state"] == "delivered")
        }
    }

    @Test(
        "pauses grow from seconds to a day",
        arguments: [(1, 5.0), (2, 15), (4, 135), (9, 32_805), (10, 86_400), (90, 86_400)])
    func pauses(tries: Int, seconds: Double) {
        let failed = EventDelivery.Outcome.failed(status: 500, error: "status")
        #expect(EventCourier.pause(failed, tries: tries, chance: 0) == seconds)
        #expect(EventCourier.pause(failed, tries: tries, chance: 1) == seconds / 2)
        #expect(EventCourier.pause(.postponed(error: "circuit_open", seconds: 7), tries: tries, chance: 1) == 7)
    }

    @Test("old settled deliveries are swept, and those of a disabled endpoint are given up")
    func sweep() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(2)
            try await events.courier.deliverDue()
            try await events.append(1)
            _ = try await events.desk.change(
                id, ["disabled": true], because: EventFixture.reason, by: EventFixture.actor)
            try await events.audit.run(
                """
                update event_deliveries set settled_at = now() - interval '31 days' where number = 1;
                update event_deliveries set give_up_at = now() - interval '1 second' where number = 3
                """)
            let store = EventDeliveryStore(pool: events.pool, box: .init(events.audit.keys))
            #expect(try await store.sweep(limit: 10) == 1)
            #expect(try await events.deliveries() == ["delivered session.created", "dead session.created"])
        }
    }

    @Test("the deliveries of a disabled endpoint are given up in portions")
    func sweepLimit() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(5)
            _ = try await events.desk.change(
                id, ["disabled": true], because: EventFixture.reason, by: EventFixture.actor)
            try await events.audit.run("update event_deliveries set give_up_at = now() - interval '1 second'")
            let store = EventDeliveryStore(pool: events.pool, box: .init(events.audit.keys))
            for count in [2, 2, 1, 0] { #expect(try await store.sweep(limit: 2) == count) }
            #expect(try await events.audit.number("select count(*) from event_deliveries where state = 'dead'") == 5)
        }
    }

    private static func only(_ events: EventFixture, _ endpoint: UUID) async throws -> JSON {
        let page = try await events.desk.deliveries(
            EventDesk.Filter(endpoint: endpoint), before: nil, limit: 10, by: EventFixture.actor)
        #expect(page.deliveries.count == 1)
        return try #require(page.deliveries.first)
    }
}
