import Foundation
import JSON
import Testing

@testable import Audit
@testable import Vocabulary

@Suite("Counted refusals")
struct RefusalBufferTests {
    private static func event(
        _ address: String = "192.0.2.1", action: String = "sign_in", reason: String = "invalid_credentials",
        account: UUID? = nil, request: String = "test"
    ) -> RefusedEvent {
        RefusedEvent(
            action: action, reason: reason, accountID: account, caller: Caller(address: address, requestID: request))
    }

    private static func further(_ event: RefusedEvent) throws -> Int? {
        try event.detail.flatMap { try JSON(parsing: $0)["further"]?.integer }
    }

    @Test("F5: beyond a few of a kind per minute one row counts the rest")
    func counts() throws {
        var buffer = RefusalBuffer(few: 3, capacity: 100)
        for number in 1...10 { buffer.record(Self.event(request: "\(number)"), minute: 1) }
        let own = buffer.take(100)
        #expect(own.map(\.caller.requestID) == ["1", "2", "3"])
        #expect(own.allSatisfy { $0.detail == nil })
        #expect(buffer.isCounting)
        buffer.turnMinute(1)
        #expect(buffer.count == 0)
        buffer.turnMinute(2)
        let counted = buffer.take(100)
        #expect(try counted.map(Self.further) == [7])
        #expect(counted.map(\.caller.requestID) == ["10"])
        #expect(counted.map(\.action) == ["sign_in"] && counted.map(\.reason) == ["invalid_credentials"])
        // A new minute has its own rows.
        buffer.record(Self.event(), minute: 2)
        #expect(buffer.count == 1 && !buffer.isCounting)
    }

    @Test("F5: different actions, reasons, networks or accounts are counted separately")
    func kinds() {
        var buffer = RefusalBuffer(few: 1, capacity: 100)
        let account = UUID()
        let events = [
            Self.event(), Self.event("192.0.2.2"), Self.event(action: "refresh"), Self.event(reason: "throttled"),
            Self.event(account: account), Self.event("2001:db8:1:2::1"),
        ]
        for event in events { buffer.record(event, minute: 1) }
        #expect(buffer.count == events.count)
        // An IPv6 network is a /48, with any number of addresses.
        buffer.record(Self.event("2001:db8:1:3::9"), minute: 1)
        buffer.record(Self.event("::ffff:192.0.2.1"), minute: 1)
        #expect(buffer.count == events.count)
    }

    @Test("F5: a network that fills the buffer displaces its own rows, and each gets its turn")
    func fairShares() {
        var buffer = RefusalBuffer(few: 1_000, capacity: 100)
        for _ in 0..<500 { buffer.record(Self.event("192.0.2.1"), minute: 1) }
        #expect(buffer.count == 100 && buffer.lost == 400)
        for number in 0..<40 { buffer.record(Self.event("198.51.100.\(number)"), minute: 1) }
        #expect(buffer.count <= 100)
        let first = buffer.take(41)
        #expect(Set(first.map(\.caller.address)).count == 41, "the flood comes no sooner than the others")
        let rest = buffer.take(100)
        #expect(rest.allSatisfy { $0.caller.address == "192.0.2.1" })
    }

    @Test("F5: rows are removed in order, and unwritten ones return to the front")
    func putBack() {
        var buffer = RefusalBuffer(few: 1_000, capacity: 1_000)
        for number in 0..<200 { buffer.record(Self.event(request: "\(number)"), minute: 1) }
        let batch = buffer.take(150)
        buffer.record(Self.event(request: "200"), minute: 1)
        buffer.putBack(batch)
        #expect(buffer.count == 201)
        let all = buffer.take(500)
        #expect(all.map(\.caller.requestID) == (0...200).map { "\($0)" })
        #expect(buffer.count == 0)
    }

    @Test("F5: with many networks the number of kinds is limited, and the rest is counted together")
    func boundedKinds() throws {
        var buffer = RefusalBuffer(few: 1, capacity: 10)
        for number in 0..<30 { buffer.record(Self.event("198.51.100.\(number)"), minute: 1) }
        _ = buffer.take(100)
        buffer.closeMinute()
        // Twenty refusals share one count; one of them had a row.
        let counted = buffer.take(100)
        #expect(try counted.map(Self.further) == [19])
    }
}
