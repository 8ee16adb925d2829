import Authorization
import Clients
import Foundation
import GatewaySettings
import Logging
import Outbound
import Postgres
import Sessions

extension AgentServices {
    init(
        _ configuration: GatewayConfiguration, pool: ConnectionPool, clients: ClientRegistry,
        transport: any HTTPTransport, methods: [String], throttles: Throttles, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.init(
            documents: ClientDocuments(
                pool: pool, clients: clients, transport: transport, policy: configuration.agents.documents,
                methods: methods, throttles: throttles, now: now, logger: logger),
            registrations: ClientRegistrations(
                pool: pool, clients: clients, policy: configuration.agents.registration, methods: methods,
                throttles: throttles, sectors: SectorDocuments(transport: transport), keys: configuration.masterKeys,
                logger: logger))
    }
}
