import HTTPTypes
import Hummingbird
import Synchronization
import Telemetry

/// Counts and times requests by route, method and status.
///
/// The table of routes never changes. Requests without a route share one series, so that clients cannot add any.
final class RouteMetrics: Sendable {
    private final class Meter: Sendable {
        let duration: HistogramSeries
        private let byStatus = Mutex<[Int: CounterSeries]>([:])
        private let make: @Sendable (Int) -> CounterSeries

        init(duration: HistogramSeries, make: @escaping @Sendable (Int) -> CounterSeries) {
            self.duration = duration
            self.make = make
        }

        func counter(_ status: Int) -> CounterSeries {
            byStatus.withLock { counters in
                if let counter = counters[status] { return counter }
                let counter = make(status)
                counters[status] = counter
                return counter
            }
        }
    }

    private let meters: [String: [HTTPRequest.Method: Meter]]
    private let unknown: Meter

    /// - Parameters:
    ///   - registry: stores the series.
    ///   - routes: the router's templates with their methods.
    init(_ registry: MetricsRegistry, routes: [(template: String, method: HTTPRequest.Method)]) {
        var meters: [String: [HTTPRequest.Method: Meter]] = [:]
        for route in routes {
            meters[route.template, default: [:]][route.method] = Self.meter(
                registry, route.method.rawValue, route.template)
        }
        self.meters = meters
        unknown = Self.meter(registry, "any", "none")
    }

    func record(route: String?, method: HTTPRequest.Method, status: Int, _ duration: Duration) {
        let meter = route.flatMap { meters[$0]?[method] } ?? unknown
        let parts = duration.components
        meter.duration.record(Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
        meter.counter(status).increment(by: Int64(1))
    }

    private static func meter(_ registry: MetricsRegistry, _ method: String, _ route: String) -> Meter {
        let labels = [("method", method), ("route", route)]
        return Meter(duration: registry.histogram("http_request_duration", labels, buckets: .seconds)) { status in
            registry.counter("http_requests", labels + [("status", String(status))])
        }
    }
}
