import Hummingbird
import Logging
import NIOCore
import Telemetry

/// The door for health and metrics, separate from the public port and its limits.
struct OperationsDoor: Sendable {
    private let registry: MetricsRegistry
    private let health: HealthChecks

    init(registry: MetricsRegistry, health: HealthChecks) {
        self.registry = registry
        self.health = health
    }

    func mount(on router: Router<GatewayContext>) {
        health.mount(on: router)
        router.get("metrics") { _, _ in metrics() }
    }

    private func metrics() -> Response {
        ProcessMetrics.update(registry)
        let text = PrometheusText.render(registry.snapshot)
        return Response(
            status: .ok, headers: [.contentType: PrometheusText.contentType],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
