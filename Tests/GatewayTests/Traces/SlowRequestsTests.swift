import Foundation
import Testing
import Traces

@testable import Telemetry

@Suite("The slowest requests of a server")
struct SlowRequestsTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_040)

    private static func entry(
        _ name: String, _ total: Int, body: Int = 0, minute: Int = 0, isSampled: Bool = true
    ) -> SlowRequests.Entry {
        SlowRequests.Entry(
            at: start.addingTimeInterval(Double(60 * minute)), reference: name, method: "GET", route: "/x", status: 200,
            figures: RequestFigures(total: total, body: body, database: 0, providers: 0, hashing: 0, statements: 0),
            traceID: TraceID(high: 0, low: 10), isSampled: isSampled)
    }

    @Test("a full minute keeps its slowest, and a faster request is not wanted")
    func slowest() {
        let requests = SlowRequests(host: "gw-1", viewer: nil)
        for total in 1...25 { requests.add(Self.entry("r\(total)", total)) }
        #expect(requests.slowest(100).map(\.figures.total) == Array((6...25).reversed()))
        #expect(!requests.isWanted(6, at: Self.start) && requests.isWanted(7, at: Self.start))
        #expect(requests.isWanted(1, at: Self.start.addingTimeInterval(60)))
    }

    @Test("a caller that sends its body slowly is no slow request")
    func slowCaller() {
        let figures = RequestFigures(total: 900, body: 800, database: 60, providers: 0, hashing: 0, statements: 1)
        #expect(figures.answering == 100 && figures.gateway == 40)
        let requests = SlowRequests(host: "here", viewer: nil)
        requests.add(Self.entry("caller", 900, body: 800))
        requests.add(Self.entry("database", 500))
        #expect(requests.slowest(2).map(\.reference) == ["database", "caller"])
    }

    @Test("requests of more than an hour ago are forgotten")
    func old() {
        let requests = SlowRequests(host: "gw-1", viewer: nil)
        requests.add(Self.entry("first", 100))
        requests.add(Self.entry("second", 10, minute: 59))
        #expect(requests.slowest(10).map(\.reference) == ["first", "second"])
        requests.add(Self.entry("third", 1, minute: 60))
        #expect(requests.slowest(10).map(\.reference) == ["second", "third"])
        #expect(requests.request("first") == nil && requests.request("third") != nil)
    }

    @Test("the viewer's address has the id of a sampled trace")
    func viewer() {
        let requests = SlowRequests(host: "gw-1", viewer: "https://v.example/t/{trace_id}?x")
        let id = "0000000000000000000000000000000a"
        #expect(requests.traceAddress(Self.entry("a", 1)) == "https://v.example/t/\(id)?x")
        #expect(requests.traceAddress(Self.entry("a", 1, isSampled: false)) == nil)
    }
}
