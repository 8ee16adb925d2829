import Foundation

/// Detects a change of the system clock by comparing it with the steady clock.
///
/// All expiries use the system clock. After a jump forward, tokens and codes expire early. After a jump backward, they
/// live longer here than other servers assume. This watch cannot correct that, but reports it.
struct ClockWatch: Sendable {
    /// A smaller correction comes from a time service.
    static let tolerance = 30.0

    private var date: Date
    private var instant: ContinuousClock.Instant

    init(at date: Date, _ instant: ContinuousClock.Instant) {
        (self.date, self.instant) = (date, instant)
    }

    /// The size of a clock change since the last call, in seconds; nil without one.
    mutating func jump(at date: Date, _ instant: ContinuousClock.Instant) -> Double? {
        let passed = (instant - self.instant) / .seconds(1)
        let shown = date.timeIntervalSince(self.date)
        (self.date, self.instant) = (date, instant)
        let jump = shown - passed
        return abs(jump) > Self.tolerance ? jump : nil
    }
}
