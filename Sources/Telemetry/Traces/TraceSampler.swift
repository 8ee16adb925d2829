import Synchronization
package import Traces

/// Decides which requests are traced.
///
/// A caller decides for its own requests (`traceparent`), but any stranger can send that header. So the callers together
/// have a budget for traces that they demand. Beyond it, and without a caller's decision, one trace in ``oneIn`` is sampled.
package final class TraceSampler: Sendable {
    private struct Budget {
        var second: Int64 = .min
        var left = 0
    }

    /// The traces that callers may demand in a second.
    static let demandedPerSecond = 10

    private let oneIn: UInt64
    private let budget = Mutex(Budget())
    private let seconds: @Sendable () -> Int64

    /// - Parameter seconds: a steady clock; tests pass their own.
    package init(
        oneIn: Int,
        seconds: @escaping @Sendable () -> Int64 = { (ContinuousClock.now - TraceSampler.start).components.seconds }
    ) {
        (self.oneIn, self.seconds) = (UInt64(max(1, oneIn)), seconds)
    }

    private static let start = ContinuousClock.now

    /// The decision for a caller's context; nil without one.
    package func isSampled(_ caller: TraceContext?) -> Bool {
        guard let caller else { return SpanID.make() % oneIn == 0 }
        guard caller.isSampled else { return false }
        return isWithinBudget() || SpanID.make() % oneIn == 0
    }

    private func isWithinBudget() -> Bool {
        let now = seconds()
        return budget.withLock { budget in
            if budget.second != now { budget = Budget(second: now, left: Self.demandedPerSecond) }
            guard budget.left > 0 else { return false }
            budget.left -= 1
            return true
        }
    }
}
