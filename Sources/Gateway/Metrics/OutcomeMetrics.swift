import Metrics
import Synchronization

/// Counts what became of the calls of a front door: `gateway_outcomes_total` by action, provider and outcome, where the
/// outcome is `done` or the code of the refusal.
///
/// Labels come from our own lists (actions, configured providers, the error catalogue), never from a request.
final class OutcomeMetrics: Sendable {
    private struct Key: Hashable {
        let action: String
        let provider: String
        let outcome: String
    }

    private let counters = Mutex<[Key: Counter]>([:])

    func count(_ action: String, provider: String?, outcome: String) {
        let key = Key(action: action, provider: provider ?? "none", outcome: outcome)
        counter(key).increment()
    }

    private func counter(_ key: Key) -> Counter {
        counters.withLock { counters in
            if let counter = counters[key] { return counter }
            let counter = Counter(
                label: "gateway_outcomes_total",
                dimensions: [("action", key.action), ("provider", key.provider), ("outcome", key.outcome)])
            counters[key] = counter
            return counter
        }
    }
}
