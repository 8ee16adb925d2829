import Metrics
import Testing

@testable import Telemetry

@Suite("Metrics")
struct MetricsTests {
    @Test("counters, gauges and histograms are written as Prometheus reads them")
    func exposition() {
        let registry = MetricsRegistry()
        registry.counter("things.done", [("kind", "a\"b\\c\nd")]).increment(by: Int64(3))
        registry.gauge("depth").set(2.5)
        let histogram = registry.histogram("sizes", buckets: HistogramBuckets(bounds: [1, 10]))
        for value in [0.5, 1, 2, 10, 11] { histogram.record(value) }
        #expect(
            PrometheusText.render(registry.snapshot) == """
                # TYPE depth gauge
                depth 2.5
                # TYPE sizes histogram
                sizes_bucket{le="1"} 2
                sizes_bucket{le="10"} 4
                sizes_bucket{le="+Inf"} 5
                sizes_sum 24.5
                sizes_count 5
                # TYPE things_done_total counter
                things_done_total{kind="a\\"b\\\\c\\nd"} 3

                """)
    }

    @Test("swift-metrics' own types end up in the registry, timers in seconds")
    func factory() {
        let registry = MetricsRegistry()
        Counter(label: "a", dimensions: [("x", "1")], factory: registry).increment(by: 2)
        Metrics.Timer(label: "wait", factory: registry).recordNanoseconds(2_000_000_000)
        Gauge(label: "now", factory: registry).record(7)
        #expect(registry.counter("a", [("x", "1")]).value == 2)
        #expect(registry.histogram("wait", buckets: .seconds).values.sum == 2)
        #expect(registry.gauge("now").value == 7)
    }

    @Test("labels in any order name the same series")
    func labelOrder() {
        let registry = MetricsRegistry()
        registry.counter("a", [("x", "1"), ("y", "2")]).increment(by: Int64(1))
        registry.counter("a", [("y", "2"), ("x", "1")]).increment(by: Int64(1))
        #expect(registry.counter("a", [("x", "1"), ("y", "2")]).value == 2)
    }

    @Test("beyond the bound, series are counted together")
    func bounded() {
        let registry = MetricsRegistry(maximumSeries: 10)
        for number in 0..<1_000 { registry.counter("a", [("who", "\(number)")]).increment(by: Int64(1)) }
        #expect(registry.snapshot.first?.series.count == 11)
        #expect(registry.counter("a", [("who", "other")]).value == 990)
    }

    @Test("request metrics have room for every route and status, and beyond it the status is kept")
    func requests() {
        let registry = MetricsRegistry(maximumSeries: 10)
        func counter(_ route: Int, _ status: String) -> CounterSeries {
            registry.counter("http_requests", [("method", "GET"), ("route", "/\(route)"), ("status", status)])
        }
        for route in 0..<8_000 { counter(route, "200").increment(by: Int64(1)) }
        #expect(registry.snapshot.first?.series.count == 8_000)
        for route in 0..<3 { counter(route, "503").increment(by: Int64(1)) }
        let folded = [("method", "other"), ("route", "other"), ("status", "503")]
        #expect(registry.counter("http_requests", folded).value == 3)
        #expect(registry.snapshot.first?.series.count == 8_001)
    }

    @Test("a name used by another kind does not break the page")
    func kindClash() {
        let registry = MetricsRegistry()
        registry.gauge("a").set(1.0)
        registry.histogram("a", buckets: .sizes).record(1.0)
        #expect(PrometheusText.render(registry.snapshot) == "# TYPE a gauge\na 1\n")
    }

    @Test("concurrent counting loses nothing")
    func concurrent() async {
        let registry = MetricsRegistry()
        let counter = registry.counter("a")
        let histogram = registry.histogram("b", buckets: .sizes)
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<5_000 {
                        counter.increment(by: Int64(1))
                        histogram.record(1.0)
                    }
                }
            }
        }
        #expect(counter.value == 40_000)
        #expect(histogram.values.sum == 40_000)
    }

    @Test("names are made fit", arguments: [("a.b-c", "a_b_c"), ("9lives", "_9lives"), ("ä", "__")])
    func names(name: String, fit: String) {
        #expect(MetricName.sanitised(name) == fit)
    }
}
