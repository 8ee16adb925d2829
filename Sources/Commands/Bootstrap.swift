import Logging
import Metrics

/// Process-wide setup, done once at the start.
enum Bootstrap {
    /// Sends log output to standard error in the configured format.
    static func logging(_ configuration: LoggingConfiguration) -> Logger {
        LogSink.standardError.use(configuration.format)
        LoggingSystem.bootstrap { GatewayLogHandler(label: $0, configuration: configuration) }
        return Logger(label: "gateway")
    }

    /// Makes a registry the back end of swift-metrics.
    static func metrics() -> MetricsRegistry {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }
}
