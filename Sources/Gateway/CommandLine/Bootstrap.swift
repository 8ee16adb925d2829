import Logging
import Metrics

/// What a process sets up once, before anything else runs.
enum Bootstrap {
    /// Sends swift-log's output to standard error as the configuration says.
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
