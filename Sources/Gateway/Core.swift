import Logging
import Postgres
import Providers
import Sessions

/// The core, ready: its services, with what must be known before the first request.
enum Core {
    static func build(
        configuration: GatewayConfiguration, certificate: ServedCertificate?, pool: ConnectionPool,
        clock: DatabaseClock, _ patience: StartPatience, logger: Logger
    ) async throws -> Services {
        let outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        let services = try Services(
            configuration, providers: try FarSides.registry(configuration.providers, outbound, logger),
            delivery: try FarSides.delivery(configuration, outbound),
            callouts: FarSides.callouts(configuration, outbound), certificateEnd: { certificate?.expires },
            pool: pool, clock: clock, logger: logger)
        try await patience.read("keys") {
            try await services.keyStore.ensureKeys()
            services.signingKeys.replace(with: try await services.keyStore.load())
        }
        try await patience.read("clients") {
            if let first = configuration.client { try await services.clients.addIfAbsent(first) }
            try await services.clients.addIfAbsent(configuration.consoleClient)
            try await services.clients.reload()
        }
        return services
    }
}

extension Services {
    /// Hears what other servers change.
    func feed(_ listener: NotificationListener, logger: Logger) -> ChangeFeed {
        ChangeFeed(
            listener: listener, directory: directory, clients: clients, keys: signingKeys, keyStore: keyStore,
            outbox: outbox, logger: logger)
    }
}
