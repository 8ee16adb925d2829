package import Logging
import Metrics
package import Telemetry

/// Process-wide setup, done once at the start.
package enum Bootstrap {
    /// Sends log output to standard error in the configured format.
    package static func logging(_ configuration: LoggingConfiguration) -> Logger {
        LogSink.standardError.use(configuration.format)
        LoggingSystem.bootstrap { GatewayLogHandler(label: $0, configuration: configuration) }
        return Logger(label: "gateway")
    }

    /// Makes a registry the back end of swift-metrics.
    package static func metrics() -> MetricsRegistry {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }
}
