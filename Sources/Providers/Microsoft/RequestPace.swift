/// Paces requests to a service that counts them: `burst` at once, then one each `interval`.
///
/// It is a pure machine: time is passed in.
package struct RequestPace: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package enum Turn: Sendable, Equatable {
        /// The request may leave at this time, and counts.
        case at(Instant)
        /// The request would wait longer than allowed; it was not counted.
        case refused(wait: Duration)
    }

    private let interval: Duration
    /// The time by which a turn may precede its due time, which allows a burst.
    private let slack: Duration
    /// The due time of the last request if there were no bursts.
    private var due: Instant?

    package init(perSecond: Int, burst: Int) {
        interval = .seconds(1) / max(1, perSecond)
        slack = interval * (max(1, burst) - 1)
    }

    /// - Parameter latest: the end of the longest allowed wait.
    package mutating func turn(at now: Instant, by latest: Instant) -> Turn {
        let due = max(self.due ?? now, now)
        let turn = max(due - slack, now)
        guard turn <= latest else { return .refused(wait: now.duration(to: turn)) }
        self.due = due + interval
        return .at(turn)
    }

    /// Holds all requests until `instant`, without a burst after it, because the service reported too many requests.
    package mutating func hold(until instant: Instant) {
        due = max(due ?? instant, instant + slack)
    }
}
