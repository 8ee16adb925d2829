import Testing

@testable import GatewaySettings
@testable import Telemetry

@Suite("The settings of traces")
struct TracesConfigurationTests {
    @Test("without settings no trace is exported")
    func none() throws {
        let traces = try Configurations.read().traces
        #expect(traces.endpoint == nil && traces.viewer == nil && traces.oneIn == 100)
    }

    @Test("a collector may be local, also in production")
    func local() throws {
        let settings = ["OTLP_ENDPOINT": "http://localhost:4318/", "TRACES_SAMPLE": "1"]
        let traces = try Configurations.read(settings, base: Configurations.production).traces
        #expect(traces.endpoint == "http://localhost:4318" && traces.oneIn == 1)
    }

    @Test(
        "an address that cannot work is refused",
        arguments: [
            ("OTLP_ENDPOINT", "localhost:4318"), ("OTLP_ENDPOINT", "https://collector.example.org?key=1"),
            ("TRACES_SAMPLE", "0"), ("TRACES_SAMPLE", "0.5"), ("TRACE_VIEWER_URL", "https://v.example.org/trace"),
            ("TRACE_VIEWER_URL", "javascript:{trace_id}"),
            ("TRACE_VIEWER_URL", "https://v.example.org/{trace_id}/{trace_id}"),
        ])
    func refused(key: String, value: String) {
        let complaints = Configurations.complaints([key: value])
        #expect(complaints.count == 1 && complaints.first?.hasPrefix("\(key): ") == true, "\(complaints)")
    }
}
