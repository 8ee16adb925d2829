import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `gateway serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer requests until told to stop.",
        discussion: """
            On SIGTERM or Ctrl-C readiness turns false; requests are answered for DRAIN_SECONDS more, each as the last of its \
            connection; then those in flight are finished, for at most SHUTDOWN_SECONDS. \
            The database must have been migrated. Ends with 78 for a wrong configuration, 69 \
            when the database isn't there, and 1 when a port is in use or the schema is behind.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        let logger = Bootstrap.logging(configuration.logging)
        let registry = Bootstrap.metrics()
        for warning in configuration.warnings { logger.warning("\(warning)") }
        do {
            let application = try await Application.build(
                configuration: configuration, logger: logger, registry: registry)
            try await Self.group(application.services, configuration.server, logger).run()
            LogSink.standardError.flush()
            Self.end()
        } catch {
            // Where nobody reads what the log says, nobody would read this, and saying it would never end.
            if LogSink.standardError.flush() {
                let database = configuration.database.connection(applicationName: "login-gateway")
                Console.complain(await StartFailure.sentence(for: error, at: database))
            }
            throw StartFailure.status(of: error)
        }
    }

    /// Ends the process with everything said and done.
    ///
    /// Not by `exit`: the threads of the event loops outlive the services, and what still runs on them would meet static
    /// objects that `exit` has destroyed.
    private static func end() -> Never { _exit(0) }

    /// Services are named by their types: their own descriptions would be all that they hold.
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
