/// The Prometheus text format, version 0.0.4.
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The output of all metrics.
    package static func render(_ families: [MetricsRegistry.Family]) -> String {
        var text = ""
        for family in families {
            guard let kind = family.series.first?.value else { continue }
            text += "# TYPE \(family.name) \(word(for: kind))\n"
            for (labels, series) in family.series.sorted(by: { key($0.key) < key($1.key) }) {
                append(series, family.name, labels, to: &text)
            }
        }
        return text
    }

    private static func append(
        _ series: MetricsRegistry.Family.Series, _ name: String, _ labels: [MetricsRegistry.Label],
        to text: inout String
    ) {
        switch series {
        case .counter(let counter): text += "\(name)\(braces(labels)) \(number(counter.value))\n"
        case .gauge(let gauge): text += "\(name)\(braces(labels)) \(number(gauge.value))\n"
        case .histogram(let histogram): append(histogram, name, labels, to: &text)
        }
    }

    private static func append(
        _ histogram: HistogramSeries, _ name: String, _ labels: [MetricsRegistry.Label], to text: inout String
    ) {
        let values = histogram.values
        var total: UInt64 = 0
        for (index, count) in values.counts.enumerated() {
            total += count
            let bound = index < histogram.buckets.bounds.count ? number(histogram.buckets.bounds[index]) : "+Inf"
            text += "\(name)_bucket\(braces(labels + [.init(name: "le", value: bound)])) \(total)\n"
        }
        text += "\(name)_sum\(braces(labels)) \(number(values.sum))\n"
        text += "\(name)_count\(braces(labels)) \(total)\n"
    }

    private static func braces(_ labels: [MetricsRegistry.Label]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    /// The format escapes backslash, quote and line feed in values of labels.
    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return String(Int(value)) }
        return String(value)
    }

    private static func word(for series: MetricsRegistry.Family.Series) -> String {
        switch series {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func key(_ labels: [MetricsRegistry.Label]) -> String {
        labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }
}
