import Metrics
import Synchronization

/// A counter with one set of labels.
package final class CounterSeries: CounterHandler, FloatingPointCounterHandler {
    private let whole = Atomic<Int64>(0)
    private let fraction = Mutex(0.0)

    var value: Double {
        Double(whole.load(ordering: .relaxed)) + fraction.withLock { $0 }
    }

    package func increment(by amount: Int64) {
        whole.wrappingAdd(max(0, amount), ordering: .relaxed)
    }

    package func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        fraction.withLock { $0 += amount }
    }

    package func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.withLock { $0 = 0 }
    }
}

/// A gauge with one set of labels.
package final class GaugeSeries: MeterHandler, RecorderHandler {
    private let current = Mutex(0.0)

    var value: Double { current.withLock { $0 } }

    package func set(_ value: Int64) { set(Double(value)) }
    package func set(_ value: Double) { current.withLock { $0 = value } }
    package func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    package func record(_ value: Int64) { set(Double(value)) }
    package func record(_ value: Double) { set(value) }
}

/// A histogram with one set of labels.
///
/// Timers report nanoseconds, which are stored as seconds.
package final class HistogramSeries: RecorderHandler, TimerHandler {
    struct Values: Sendable, Equatable {
        var counts: [UInt64]
        var sum = 0.0
    }

    let buckets: HistogramBuckets
    private let state: Mutex<Values>

    init(_ buckets: HistogramBuckets) {
        self.buckets = buckets
        state = Mutex(Values(counts: Array(repeating: 0, count: buckets.bounds.count + 1)))
    }

    var values: Values { state.withLock { $0 } }

    package func record(_ value: Int64) { record(Double(value)) }

    package func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = buckets.index(of: value)
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    package func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
