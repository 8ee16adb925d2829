import Clients
import Foundation
import GatewaySettings
import HTTPServer
import Logging
import Operators
import Outbound
import Postgres
import ServiceLifecycle
import Sessions
import Telemetry

/// THE CONSTRUCTION: everything that runs, built once, top to bottom, by hand.
struct Application {
    /// In start order; they stop in reverse order.
    let services: [any Service]

    /// Builds everything and reads the data for the first request: the schema's state, keys and clients.
    static func build(configuration: GatewayConfiguration, logger: Logger, registry: MetricsRegistry) async throws
        -> Application
    {
        let database = configuration.database.connection(requestTimeout: configuration.server.requestTimeout)
        let patience = StartPatience(logger: logger)
        try await patience.read("sessions") { try await SessionCheck.requireOwnSessions(database) }
        let pool = ConnectionPool(configuration: database, logger: logger)
        pool.start()
        try await patience.read("schema") { try await Schema.requireCurrent(pool) }

        let clock = DatabaseClock(limit: Double(configuration.server.clockLimit))
        let comparison = ClockComparison(clock: clock, pool: pool, logger: logger)
        try await patience.read("clock") { try await comparison.compare() }

        let certificate = try configuration.server.tls.map { try ServedCertificate($0, logger: logger) }
        let slow = SlowRequests(host: ProcessMetrics.hostName, viewer: configuration.traces.viewer)
        let exporter = Self.exporter(configuration.traces, host: slow.host, registry, logger)
        let core = try await Core.build(
            configuration: configuration, certificate: certificate, pool: pool, clock: clock, requests: slow,
            patience, logger: logger)
        let listener = NotificationListener(
            configuration: database, channels: ChangeFeed.channels, logger: logger,
            onHang: { [weak pool] in pool?.noteSilence(of: $0) })
        let drain = Drain(configuration.server.drainTime)
        let health = HealthChecks([
            .init("database") { pool.isHealthy }, .init("writes") { pool.takesChanges },
            .init("changes") { listener.isConnected },
            .init("signing_keys") { !core.signingKeys.isEmpty }, .init("clock") { clock.isSound },
            .init("accepting") { !drain.hasBegun },
        ])
        let server = GatewayServer(
            server: configuration.server, operations: configuration.operations, logging: configuration.logging,
            certificate: certificate, registry: registry, health: health, drain: drain, logger: logger,
            isAllowedOrigin: { core.clients.allows(origin: $0, path: $1) },
            tracing: RequestTracing(exporter: exporter, slow: slow),
            isClockSound: { clock.isSound }, refusalPage: core.refusalPage)
        let doors = server.services(
            onListening: { port in
                Self.announce(port, configuration.server, logger)
                ProgramText.unmapStart()
            },
            mount: { router in for door in core.frontDoors { door.mount(on: router) } })
        return Application(
            services: [pool as any Service] + (exporter.map { [$0] } ?? []) + [
                WriteProbe(pool: pool), comparison, listener, core.feed(listener, logger: logger),
                CredentialWatch(credentials: core.credentials, registry: registry, now: { clock.now }, logger: logger),
            ] + core.workers + doors)
    }

    /// Nil where no trace is exported.
    private static func exporter(
        _ traces: TracesConfiguration, host: String, _ registry: MetricsRegistry, _ logger: Logger
    ) -> TraceExporter? {
        traces.endpoint.map { endpoint in
            // A client of its own: the collector may be local, and a slow one does not delay other requests.
            let client = HTTPClient(configuration: OutboundConfiguration(insecureAllowLocal: true, maximumInFlight: 4))
            return TraceExporter(
                endpoint: endpoint, host: host, sampler: TraceSampler(oneIn: traces.oneIn), transport: client,
                logger: logger, registry: registry)
        }
    }

    private static func announce(_ port: Int, _ server: ServerConfiguration, _ logger: Logger) {
        logger.notice(
            "listening", metadata: ["host": "\(server.host)", "port": "\(port)", "issuer": "\(server.publicURL)"])
    }
}
