import Accounts
import Clients
import GatewaySettings
import HTTPServer
import Logging
import Messages
import Outbound
import Postgres
import Sessions
import Settings
import Telemetry

/// The core with its services and the data that the first request needs.
enum Core {
    static func build(
        configuration: GatewayConfiguration, certificate: ServedCertificate?, pool: ConnectionPool,
        clock: DatabaseClock, requests: SlowRequests, _ patience: StartPatience, logger: Logger
    ) async throws -> Services {
        let outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        let services = try Services(
            configuration, providers: try OutboundServices.registry(configuration.providers, outbound, logger),
            delivery: try OutboundServices.delivery(configuration, outbound),
            callouts: Callouts(configuration, outbound, logger),
            certificateEnd: { certificate?.expires },
            pool: pool, clock: clock, requests: requests, logger: logger)
        try await patience.read("keys") {
            try await services.keyStore.ensureKeys()
            services.signingKeys.replace(with: try await services.keyStore.load())
            // Read here, so that it is sealed again before an old master key is removed.
            _ = try await NameSecret(pool: pool, keys: configuration.masterKeys, logger: logger).key()
        }
        try await patience.read("clients") {
            if let first = configuration.client { try await services.clients.addIfAbsent(first) }
            try await services.clients.addIfAbsent(configuration.consoleClient)
            try await services.clients.reload()
            try await services.messageTexts.reload(from: pool, logger)
        }
        try requirePermission(of: configuration.operators.consoleClient, services.clients)
        warnOfStaleSettings(configuration, services.clients, logger)
        return services
    }

    private static func warnOfStaleSettings(
        _ configuration: GatewayConfiguration, _ clients: ClientRegistry, _ logger: Logger
    ) {
        let first = configuration.firstClient.flatMap { clients.client($0.id) }
        for stale in configuration.staleSettings(beside: first) {
            logger.warning("\(stale.fault). \(configuration.remedy(for: [stale]))")
        }
    }

    /// Refuses a console's client without the permission to open console pages.
    ///
    /// A disabled client is allowed, because the command line can enable it.
    private static func requirePermission(of console: String, _ clients: ClientRegistry) throws(ConfigurationError) {
        guard let client = clients.client(console), !client.audiences.contains(.administration) else { return }
        throw ConfigurationError(complaints: [
            .init(
                key: ConfigurationKey.consoleClientID.name,
                text: """
                    is \(console), a client without the permission administration. Name another one, or give it the \
                    permission: gateway clients change \(console) --add-audience administration
                    """)
        ])
    }
}

extension Services {
    /// Subscribes to changes by other servers.
    func feed(_ listener: NotificationListener, logger: Logger) -> ChangeFeed {
        ChangeFeed(
            listener: listener, directory: directory, clients: clients, keys: signingKeys, keyStore: keyStore,
            outbox: outbox,
            readTexts: { [messageTexts, pool] in try await messageTexts.reload(from: pool, logger) }, logger: logger)
    }
}
