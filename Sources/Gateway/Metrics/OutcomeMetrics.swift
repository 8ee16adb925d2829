import Metrics

/// Counts the calls of the front doors in `gateway_outcomes_total` by action, provider and outcome.
///
/// The outcome is `done` or the code of the refusal. Labels come from fixed lists (actions, configured providers, the error
/// catalogue), never from a request.
struct OutcomeMetrics: Sendable {
    func count(_ action: String, provider: String?, outcome: String) {
        Counter(
            label: "gateway_outcomes_total",
            dimensions: [("action", action), ("provider", provider ?? "none"), ("outcome", outcome)]
        ).increment()
    }
}
