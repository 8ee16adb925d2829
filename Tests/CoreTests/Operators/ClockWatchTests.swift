import Foundation
import Testing

@testable import Operators

@Suite("Watching the clock")
struct ClockWatchTests {
    private static let begin = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "S-12: a clock jump is reported once, with its size",
        arguments: [(86_400.0, true), (-86_400, true), (31, true), (-31, true), (30, false), (-2, false), (0, false)])
    func jumps(by seconds: Double, isTold: Bool) throws {
        let start = ContinuousClock.now
        var watch = ClockWatch(at: Self.begin, start)
        let told = watch.jump(at: Self.begin + 60 + seconds, start + .seconds(60))
        #expect(told == (isTold ? seconds : nil))
        #expect(watch.jump(at: Self.begin + 120 + seconds, start + .seconds(120)) == nil)
    }

    @Test("a suspended machine is not a clock jump")
    func sleep() {
        let start = ContinuousClock.now
        var watch = ClockWatch(at: Self.begin, start)
        #expect(watch.jump(at: Self.begin + 36_000, start + .seconds(36_000)) == nil)
    }
}
