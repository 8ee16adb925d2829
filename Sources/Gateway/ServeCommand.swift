import ArgumentParser
import Commands
import Foundation
import GatewaySettings
import HTTPServer
import Logging
import ServiceLifecycle
import Telemetry
import UnixSignals

/// `gateway serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server until SIGTERM or Ctrl-C.",
        discussion: """
            On SIGTERM or Ctrl-C, readiness turns false. The server accepts requests for DRAIN_SECONDS, one per connection, \
            then finishes the requests in flight within SHUTDOWN_SECONDS. Migrate the database first. Exit status: 78 for \
            a wrong configuration, 69 if the database is unreachable, 1 if a port is in use or the schema is outdated.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        let logger = Bootstrap.logging(configuration.logging)
        let registry = Bootstrap.metrics()
        for warning in configuration.warnings { logger.warning("\(warning)") }
        do {
            try await GatewayServer.requirePorts(configuration.server, configuration.operations)
            let application = try await Application.build(
                configuration: configuration, logger: logger, registry: registry)
            try await Self.group(application.services, configuration.server, logger).run()
            LogSink.standardError.flush()
            Self.end()
        } catch {
            // A failure to write the log can't be logged; trying would never end.
            if LogSink.standardError.flush() {
                let database = configuration.database.connection(applicationName: "login-gateway")
                Terminal.complain(await StartFailure.sentence(for: error, at: database))
            }
            throw StartFailure.status(of: error)
        }
    }

    /// Ends the process after all output is written.
    ///
    /// Doesn't use `exit`: event loop threads outlive the services and would use static objects that `exit` has destroyed.
    private static func end() -> Never { _exit(0) }

    /// Names services by type, because their descriptions would print all their contents.
    private static func group(
        _ services: [any Service], _ server: ServerConfiguration, _ logger: Logger
    ) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: zip(services, StopOrder.firstEndsLast(services)).map {
                .init(service: $1, serviceName: "\(type(of: $0))")
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = server.drainTime + server.shutdownTimeout
        configuration.maximumCancellationDuration = .seconds(5)
        return ServiceGroup(configuration: configuration)
    }
}
