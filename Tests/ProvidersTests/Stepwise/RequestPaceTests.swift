import Providers
import Testing

@Suite("The pace of requests")
struct RequestPaceTests {
    private let start = ContinuousClock.now

    /// The start times of `count` simultaneous requests, in milliseconds.
    private func turns(_ pace: inout RequestPace, _ count: Int, at milliseconds: Int = 0, patience: Int = 10_000)
        -> [Int?]
    {
        let now = start + .milliseconds(milliseconds)
        return (0..<count).map { _ in
            guard case .at(let turn) = pace.turn(at: now, by: now + .milliseconds(patience)) else { return nil }
            return Int((turn - start) / .milliseconds(1))
        }
    }

    @Test("a burst starts at once, the rest one by one")
    func burst() {
        var pace = RequestPace(perSecond: 10, burst: 3)
        #expect(turns(&pace, 6) == [0, 0, 0, 100, 200, 300])
    }

    @Test("unused permits accumulate up to the burst", arguments: [(300, 1), (400, 2), (9_000, 3)])
    func refills(row: (milliseconds: Int, free: Int)) {
        var pace = RequestPace(perSecond: 10, burst: 3)
        #expect(turns(&pace, 5) == [0, 0, 0, 100, 200])
        let later = turns(&pace, 4, at: row.milliseconds)
        #expect(later.count { $0 == row.milliseconds } == row.free)
    }

    @Test("a request with too long a wait is refused with the waiting time and costs nothing")
    func refused() {
        var pace = RequestPace(perSecond: 10, burst: 1)
        #expect(turns(&pace, 4, patience: 150) == [0, 100, nil, nil])
        #expect(pace.turn(at: start, by: start) == .refused(wait: .milliseconds(200)))
        #expect(turns(&pace, 1) == [200])
    }

    @Test("during a hold nothing starts, and no burst follows it")
    func hold() {
        var pace = RequestPace(perSecond: 10, burst: 3)
        pace.hold(until: start + .seconds(2))
        #expect(turns(&pace, 1, patience: 1_999) == [nil])
        #expect(turns(&pace, 3) == [2_000, 2_100, 2_200])
        pace.hold(until: start + .seconds(1))
        #expect(turns(&pace, 1) == [2_300], "an earlier end shortens nothing")
    }

    @Test("no second has more requests than rate plus burst", arguments: [1, 7, 40, 300])
    func anySecond(step: Int) {
        var pace = MicrosoftPacer.usual
        var all: [Int] = []
        for time in stride(from: 0, to: 5_000, by: step) {
            all += turns(&pace, 3, at: time, patience: 1_000).compactMap(\.self)
        }
        #expect(all.count > 50)
        for first in all {
            #expect(all.count { (first..<first + 1_000).contains($0) } <= 19)
        }
    }
}
