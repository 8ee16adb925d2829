import Foundation
import JSON
import Logging
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPServer
@testable import Operators
@testable import Telemetry

@Suite("The watch over expiring credentials")
struct CredentialWatchTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func watch(
        _ days: Double?..., registry: MetricsRegistry = MetricsRegistry(), log: KeptLog = KeptLog()
    )
        -> CredentialWatch
    {
        let (sink, logging) = (log.sink, LoggingConfiguration(level: .debug, format: .json))
        let credentials = days.enumerated().map { index, days in
            ExpiringCredential(
                .clientSecret, of: "p\(index)", expires: days.map { now.addingTimeInterval($0 * 86_400) })
        }
        return CredentialWatch(
            credentials: ExpiringCredentials([{ credentials }]), registry: registry,
            logger: Logger(label: "test") { GatewayLogHandler(label: $0, configuration: logging, sink: sink) })
    }

    @Test("the log reports credentials from 30 days before, more severely from 7, most after the expiry, and no others")
    func log() throws {
        let log = KeptLog()
        Self.watch(31, nil, 29.5, 6.5, -1.5, log: log).tell(at: Self.now)
        let lines = try log.lines
        #expect(lines.map { $0["level"]?.string } == ["error", "warning", "notice"])
        #expect(
            lines.map { $0["message"]?.string } == [
                "a credential has ended", "a credential ends soon", "a credential ends soon",
            ])
        #expect(lines.map { $0["name"]?.string } == ["p4_client_secret", "p3_client_secret", "p2_client_secret"])
        #expect(lines.map { $0["days"]?.string } == ["-2", "6", "29"])
        #expect(lines.last?["expires"]?.string == "2027-02-13T20:00:00Z")
    }

    @Test("the metric is the seconds until the expiry, if there is one")
    func metric() {
        let registry = MetricsRegistry()
        let watch = Self.watch(2, nil, -1, registry: registry)
        watch.measure(at: Self.now)
        let first = PrometheusText.render(registry.snapshot)
        #expect(
            first == """
                # TYPE gateway_credential_expires_seconds gauge
                gateway_credential_expires_seconds{credential="p0_client_secret"} 172800
                gateway_credential_expires_seconds{credential="p2_client_secret"} -86400

                """)
        watch.measure(at: Self.now.addingTimeInterval(60))
        #expect(PrometheusText.render(registry.snapshot).contains("\"p0_client_secret\"} 172740"))
    }

    @Test("the certificate's expiry is that of the current one", .timeLimit(.minutes(30)))
    func certificate() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair("first", from: "20200101000000Z", to: "20400101000000Z")
        let next = try await folder.pair("next", from: "20200101000000Z", to: "20410203040506Z")
        let served = try ServedCertificate(
            pair.files, interval: .milliseconds(20), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(RFC3339.text(served.expires) == "2040-01-01T00:00:00Z")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await served.watch() }
            for (from, to) in [(next.certificate, pair.certificate), (next.key, pair.key)] {
                try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
            }
            try await poll(within: .seconds(60)) {
                RFC3339.text(served.expires) == "2041-02-03T04:05:06Z" ? () : nil
            }
            group.cancelAll()
        }
    }
}
