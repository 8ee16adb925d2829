import Metrics
import Synchronization

/// The swift-metrics back end: stores every series of the process.
///
/// A look-up takes a lock, so frequent callers keep the series. Each metric has a limited number of series. Further series
/// share the label value `other`, so that no input from outside can fill the memory. ``bounds`` lists metrics with a limit
/// of their own.
package final class MetricsRegistry: Sendable {
    /// The series of one metric by their labels.
    package struct Family: Sendable {
        enum Series: Sendable {
            case counter(CounterSeries)
            case gauge(GaugeSeries)
            case histogram(HistogramSeries)
        }

        let name: String
        var series: [[Label]: Series] = [:]
    }

    /// A label with a valid Prometheus name.
    struct Label: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The limit of a metric, and the labels that keep their value above it.
    private struct Bound {
        let series: Int
        let kept: Set<String>
    }

    /// Routes, methods and status codes come from the code: more series than other metrics have, but below this limit.
    ///
    /// Alarms use the status, so it keeps its value above the limit.
    private static let bounds = ["http_requests_total": Bound(series: 8_000, kept: ["status"])]

    private let families = Mutex<[String: Family]>([:])
    private let maximumSeries: Int

    package init(maximumSeries: Int = 500) {
        self.maximumSeries = maximumSeries
    }

    /// All metrics, sorted by name.
    package var snapshot: [Family] {
        families.withLock { $0.values.sorted { $0.name < $1.name } }
    }

    /// The counter with this name, to which `_total` is appended.
    package func counter(_ name: String, _ labels: [(String, String)] = []) -> CounterSeries {
        let name = MetricName.sanitised(name, suffix: "_total")
        let made = series(name, labels, make: { .counter(CounterSeries()) })
        guard case .counter(let counter) = made else { return CounterSeries() }
        return counter
    }

    /// The gauge with this name.
    package func gauge(_ name: String, _ labels: [(String, String)] = []) -> GaugeSeries {
        let made = series(MetricName.sanitised(name), labels, make: { .gauge(GaugeSeries()) })
        guard case .gauge(let gauge) = made else { return GaugeSeries() }
        return gauge
    }

    /// The histogram with this name.
    package func histogram(_ name: String, _ labels: [(String, String)] = [], buckets: HistogramBuckets)
        -> HistogramSeries
    {
        let suffix = buckets == .seconds ? "_seconds" : ""
        let name = MetricName.sanitised(name, suffix: suffix)
        let made = series(name, labels, make: { .histogram(HistogramSeries(buckets)) })
        guard case .histogram(let histogram) = made else { return HistogramSeries(buckets) }
        return histogram
    }

    /// If the name has another kind, the callers return a series that is not exported, so the output stays valid.
    private func series(
        _ name: String, _ labels: [(String, String)], make: () -> Family.Series
    ) -> Family.Series {
        let labels = labels.map { Label(name: MetricName.sanitised($0.0), value: $0.1) }.sorted { $0.name < $1.name }
        let bound = Self.bounds[name] ?? Bound(series: maximumSeries, kept: [])
        return families.withLock { families in
            if let series = families[name]?.series[labels] { return series }
            let isFull = families[name].map { $0.series.count >= bound.series } ?? false
            let key = isFull ? Self.folded(labels, keeping: bound.kept) : labels
            if let series = families[name]?.series[key] { return series }
            let series = make()
            if let first = families[name]?.series.first?.value, !Self.isSameKind(first, series) { return series }
            families[name, default: Family(name: name)].series[key] = series
            return series
        }
    }

    private static func folded(_ labels: [Label], keeping kept: Set<String>) -> [Label] {
        labels.map { kept.contains($0.name) ? $0 : Label(name: $0.name, value: "other") }
    }

    private static func isSameKind(_ left: Family.Series, _ right: Family.Series) -> Bool {
        switch (left, right) {
        case (.counter, .counter), (.gauge, .gauge), (.histogram, .histogram): true
        default: false
        }
    }
}

extension MetricsRegistry: MetricsFactory {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        counter(label, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate ? histogram(label, dimensions, buckets: .sizes) : gauge(label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, buckets: .seconds)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// Valid Prometheus names.
enum MetricName {
    /// Replaces invalid characters, and appends the suffix if it is missing.
    static func sanitised(_ name: String, suffix: String = "") -> String {
        // The names of the gateway itself, in every request.
        if isValid(name), suffix.isEmpty || name.hasSuffix(suffix) { return name }
        var bytes = name.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: byte
            default: UInt8(ascii: "_")
            }
        }
        if let first = bytes.first, (0x30...0x39).contains(first) { bytes.insert(UInt8(ascii: "_"), at: 0) }
        let clean = String(decoding: bytes, as: UTF8.self)
        return clean.hasSuffix(suffix) ? clean : clean + suffix
    }

    private static func isValid(_ name: String) -> Bool {
        name.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
