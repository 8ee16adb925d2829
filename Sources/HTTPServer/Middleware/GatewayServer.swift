import HTTPTypes
package import Hummingbird
package import Logging
package import ServiceLifecycle
import Settings
package import Telemetry

/// Builds the public listener with its request shell, and the operations listener.
package struct GatewayServer: Sendable {
    let server: ServerConfiguration
    let operations: OperationsConfiguration
    let logging: LoggingConfiguration
    /// Nil for plain HTTP.
    let certificate: ServedCertificate?
    let registry: MetricsRegistry
    let health: HealthChecks
    /// The drain of the public listener.
    ///
    /// Once it has begun, readiness is false on both listeners.
    let drain: Drain
    let logger: Logger
    /// Whether a client has registered this web origin.
    let isAllowedOrigin: @Sendable (_ origin: String, _ path: String) -> Bool
    /// The traces of the public listener.
    let tracing: RequestTracing
    /// Whether this server's clock is close enough to the database's to answer requests.
    let isClockSound: @Sendable () -> Bool
    /// The pages of the public listener for unknown paths and methods.
    let refusalPage: RefusalPage?

    package init(
        server: ServerConfiguration, operations: OperationsConfiguration, logging: LoggingConfiguration,
        certificate: ServedCertificate?, registry: MetricsRegistry, health: HealthChecks, drain: Drain,
        logger: Logger, isAllowedOrigin: @escaping @Sendable (_ origin: String, _ path: String) -> Bool,
        tracing: RequestTracing = RequestTracing(),
        isClockSound: @escaping @Sendable () -> Bool = { true },
        refusalPage: RefusalPage? = nil
    ) {
        (self.server, self.operations, self.logging) = (server, operations, logging)
        (self.certificate, self.registry, self.health, self.drain) = (certificate, registry, health, drain)
        (self.logger, self.isAllowedOrigin) = (logger, isAllowedOrigin)
        (self.tracing, self.isClockSound, self.refusalPage) = (tracing, isClockSound, refusalPage)
    }

    /// The listening services; the public listener is last, so that it stops first.
    ///
    /// - Parameters:
    ///   - onListening: called with the public port once connections are accepted.
    ///   - mount: adds the routes of the front doors to the public router.
    package func services(
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        mount: (Router<GatewayContext>) -> Void
    ) -> [any Service] {
        let deadlines = RequestDeadline()
        let load = LoadShedding(limit: server.maximumRequests)
        var limits = HTTPListener.Limits(maximumConnections: server.maximumConnections)
        let refused = registry.counter("connections_refused", [("reason", "peer")])
        limits.peers = PeerLimit(limit: server.maximumConnectionsPerPeer, proxies: server.forwardedClient) {
            refused.increment(by: Int64(1))
        }
        limits.streamSeconds = server.requestTimeout.components.seconds + limits.idleSeconds
        let publicDoor = HTTPListener(
            host: server.host, port: server.port, setting: ConfigurationKey.port.name, publicURL: server.publicURL,
            certificate: certificate, limits: limits, drain: drain, logger: logger,
            answer: shell(
                load, deadlines, logging, tracing, speaksTLS: certificate != nil, isClockSound, refusalPage
            ) { router in
                health.mount(on: router)
                mount(router)
            }.respond, onListening: onListening)
        return [deadlines] + operationsDoor(deadlines) + [publicDoor]
    }

    private func operationsDoor(_ deadlines: RequestDeadline) -> [any Service] {
        guard let port = operations.port else { return [] }
        let door = OperationsDoor(registry: registry, health: health)
        let quiet = LoggingConfiguration(level: .notice, format: logging.format)
        let shell = shell(
            LoadShedding(limit: 64), deadlines, quiet, RequestTracing(), speaksTLS: false, { true }, nil,
            mount: door.mount)
        return [
            HTTPListener(
                host: operations.host, port: port, setting: ConfigurationKey.operationsPort.name,
                publicURL: server.publicURL, limits: .init(maximumConnections: 256), logger: logger,
                answer: shell.respond)
        ]
    }

    private func shell(
        _ load: LoadShedding, _ deadlines: RequestDeadline, _ logging: LoggingConfiguration,
        _ tracing: RequestTracing, speaksTLS: Bool, _ isClockSound: @escaping @Sendable () -> Bool,
        _ refusalPage: RefusalPage?,
        mount: (Router<GatewayContext>) -> Void
    ) -> RequestShell {
        let router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        mount(router)
        return RequestShell(
            router: router,
            parts: RequestShellParts(
                server: server, speaksTLS: speaksTLS, logger: logger, registry: registry, load: load,
                deadlines: deadlines,
                crossOrigin: CrossOrigin(isAllowed: isAllowedOrigin),
                accessLog: AccessLog(logging), tracing: tracing, isClockSound: isClockSound,
                refusalPage: refusalPage))
    }
}
