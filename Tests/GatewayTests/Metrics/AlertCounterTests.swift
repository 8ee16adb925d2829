import TestSupport
import Testing

@testable import Gateway

@Suite("The counters of the alert rules")
struct AlertCounterTests {
    /// Prometheus computes an increase from two values.
    ///
    /// A counter that begins with its first event has none before it.
    @Test("every counter of an alert exists before its first event")
    func beforeTheFirst() async throws {
        let rules = try Pages.text("deploy/prometheus/alerts.yml")
        let counters = Set(rules.matches(of: #/increase\(([a-z_]+)/#).map { String($0.output.1) })
        #expect(counters.count > 4)
        // A port that was free a moment ago.
        let port = try await PlainListener.run { server in server.port }
        try await withDeployment { deployment in
            // Spans are counted where a collector is named; nothing listens there.
            let settings = ["OPS_PORT": "\(port)", "OTLP_ENDPOINT": "http://127.0.0.1:9"]
            try await deployment.serving(settings) { _ in
                let operations = TestClient(port: port)
                _ = try await poll(within: .seconds(30)) { () -> Bool? in
                    let page = try await operations.send(TestRequest("GET", "/metrics")).text
                    let missing = counters.filter { !page.contains("\n\($0)") }
                    return missing.isEmpty ? true : nil
                }
            }
        }
    }
}
