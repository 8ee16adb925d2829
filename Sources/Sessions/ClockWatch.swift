import Foundation

/// Notices that the system clock was set: what it says has moved by another amount than a clock that nobody sets.
///
/// Nothing here goes by the steady clock, so a jump shows in every expiry: forward, tokens and codes end early; backward, they
/// live longer here than others believe. It can't be mended from here, but it must not stay unnoticed.
struct ClockWatch: Sendable {
    /// A correction smaller than this is a time service at work.
    static let tolerance = 30.0

    private var date: Date
    private var instant: ContinuousClock.Instant

    init(at date: Date, _ instant: ContinuousClock.Instant) {
        (self.date, self.instant) = (date, instant)
    }

    /// By how many seconds the clock was set since the last look; nil when it wasn't.
    mutating func jump(at date: Date, _ instant: ContinuousClock.Instant) -> Double? {
        let passed = (instant - self.instant) / .seconds(1)
        let shown = date.timeIntervalSince(self.date)
        (self.date, self.instant) = (date, instant)
        let jump = shown - passed
        return abs(jump) > Self.tolerance ? jump : nil
    }
}
