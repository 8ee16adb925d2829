import Foundation
import Logging
import Operators
import ServiceLifecycle
import Telemetry
import Vocabulary

/// Logs at start and once a day which credentials expire soon, and always exports each expiry as a metric.
struct CredentialWatch: Service {
    static let metric = "gateway_credential_expires_seconds"
    private static let interval = Duration.seconds(60)
    private static let day = 86_400.0

    let credentials: ExpiringCredentials
    let registry: MetricsRegistry
    /// The database's time, which decides about key rotation.
    var now: @Sendable () -> Date = { Date() }
    let logger: Logger

    func run() async throws {
        var told = Date.distantPast
        try await repeatUntilShutdown(every: Self.interval) {
            let now = now()
            measure(at: now)
            // The clock may have been set back since.
            guard abs(now.timeIntervalSince(told)) >= Self.day else { return }
            told = now
            tell(at: now)
        }
    }

    /// Sets a gauge for each credential with an expiry: the seconds until then, negative after it.
    func measure(at now: Date) {
        for credential in credentials.all {
            guard let expires = credential.expires else { continue }
            registry.gauge(Self.metric, [("credential", credential.name)]).set(Int64(expires.timeIntervalSince(now)))
        }
    }

    func tell(at now: Date) {
        for credential in credentials.all {
            guard let expires = credential.expires else { continue }
            let days = Int((expires.timeIntervalSince(now) / Self.day).rounded(.down))
            let facts: Logger.Metadata = [
                "name": "\(credential.name)", "expires": "\(RFC3339.text(expires))", "days": "\(days)",
            ]
            switch credential.state(at: now) {
            case .soon: logger.notice("a credential ends soon", metadata: facts)
            case .urgent: logger.warning("a credential ends soon", metadata: facts)
            case .over: logger.error("a credential has ended", metadata: facts)
            case .good, .unknown, .endless: break
            }
        }
    }
}
