/// When the next request to a far side may leave that counts requests: `burst` at once, then one each `interval`.
///
/// A pure machine: time is passed in.
package struct RequestPace: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package enum Turn: Sendable, Equatable {
        /// The request has its turn then, and counts.
        case at(Instant)
        /// It would have to wait longer than it may; nothing was counted.
        case refused(wait: Duration)
    }

    private let interval: Duration
    /// By how much a turn may come before its due time: what a burst is.
    private let slack: Duration
    /// When the last of the requests so far would be due if there were no bursts.
    private var due: Instant?

    package init(perSecond: Int, burst: Int) {
        interval = .seconds(1) / max(1, perSecond)
        slack = interval * (max(1, burst) - 1)
    }

    /// - Parameter latest: how long the request may wait.
    package mutating func turn(at now: Instant, by latest: Instant) -> Turn {
        let due = max(self.due ?? now, now)
        let turn = max(due - slack, now)
        guard turn <= latest else { return .refused(wait: now.duration(to: turn)) }
        self.due = due + interval
        return .at(turn)
    }

    /// Lets nothing leave before then, and no burst follow: the far side said that it had enough.
    package mutating func hold(until instant: Instant) {
        due = max(due ?? instant, instant + slack)
    }
}
