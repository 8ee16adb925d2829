package import Settings

/// The export of traces, and the viewer to which the console links.
package struct TracesConfiguration: Sendable, Equatable {
    /// `OTLP_ENDPOINT`: the collector that receives spans at `/v1/traces`; `nil` for no traces.
    ///
    /// URL, no default, not secret.
    package let endpoint: String?
    /// `TRACES_SAMPLE`: one request in this many is traced.
    ///
    /// Number, default 100, not secret.
    package let oneIn: Int
    /// `TRACE_VIEWER_URL`: the address of a trace, with ``placeholder`` in place of its id; `nil` for no links.
    ///
    /// URL, no default, not secret.
    package let viewer: String?

    package static let placeholder = "{trace_id}"
}

extension TracesConfiguration {
    package static let keys: [ConfigurationKey] = [.otlpEndpoint, .tracesSample, .traceViewerURL]

    package init(_ settings: inout SettingsReader) {
        // The operator's own service: it may be local, and local addresses need no TLS.
        endpoint = settings.endpoint(.otlpEndpoint, local: true)
        oneIn = settings.number(.tracesSample, in: 1...1_000_000)
        viewer = Self.readViewer(&settings)
    }

    private static func readViewer(_ settings: inout SettingsReader) -> String? {
        guard let text = settings.text(.traceViewerURL) else { return nil }
        let parts = text.split(separator: placeholder, omittingEmptySubsequences: false)
        let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
        guard parts.count == 2, isAddress, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            settings.complain(.traceViewerURL, "must be an http or https address with \(placeholder) in it once")
            return nil
        }
        return text
    }
}

extension ConfigurationKey.Group {
    static let traces = Self("Traces", "OpenTelemetry; off without an endpoint")
}

extension ConfigurationKey {
    static let otlpEndpoint = ConfigurationKey(
        "OTLP_ENDPOINT", .traces, .url, example: .form("http://localhost:4318"),
        "The collector of traces, which gets OTLP as JSON at `/v1/traces`; http for local addresses only. Unset: no traces."
    )
    static let tracesSample = ConfigurationKey(
        "TRACES_SAMPLE", .traces, .number, default: "100",
        "One request in this many is traced. A caller's `traceparent` decides for its own requests: [operations.md](operations.md#traces)."
    )
    static let traceViewerURL = ConfigurationKey(
        "TRACE_VIEWER_URL", .traces, .url, example: .form("https://grafana.example.org/explore?trace={trace_id}"),
        "The address of a trace in your viewer, with `{trace_id}` in place of its id, for links on the console.")
}
