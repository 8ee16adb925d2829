import Metrics
import Synchronization

/// Counts the calls of the front doors in `gateway_outcomes_total` by action, provider and outcome.
///
/// The outcome is `done` or the code of the refusal. Labels come from fixed lists (actions, configured providers, the error
/// catalogue), never from a request. So the number of series is small, and each is kept
/// (`docs/decisions/0022-counters-of-outcomes-are-kept.md`).
package final class OutcomeMetrics: Sendable {
    private struct Labels: Hashable {
        let action: String
        let provider: String?
        let outcome: String
    }

    private let counters = Mutex<[Labels: Counter]>([:])

    package init() {}

    package func count(_ action: String, provider: String?, outcome: String) {
        let labels = Labels(action: action, provider: provider, outcome: outcome)
        let known = counters.withLock { $0[labels] }
        (known ?? kept(labels)).increment()
    }

    private func kept(_ labels: Labels) -> Counter {
        let counter = Counter(
            label: "gateway_outcomes_total",
            dimensions: [
                ("action", labels.action), ("provider", labels.provider ?? "none"), ("outcome", labels.outcome),
            ])
        counters.withLock { $0[labels] = counter }
        return counter
    }
}
