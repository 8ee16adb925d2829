import Hummingbird
import Logging
import Postgres
import Providers

@testable import Gateway

/// The routes of the real doors, mounted on a real router.
///
/// Nothing is connected and nobody is asked.
enum MountedRoutes {
    /// `GET /v1/session` and so on, of both ports, without the HEAD that every GET brings.
    static func all() throws -> Set<String> {
        let router = Router(context: GatewayContext.self)
        for door in try services().frontDoors { door.mount(on: router) }
        OperationsDoor(registry: MetricsRegistry(), health: HealthChecks([])).mount(on: router)
        return Set(router.routes.map { "\($0.method.rawValue) \($0.path.description)" })
    }

    private static func services() throws -> Services {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pool = ConnectionPool(
            configuration: PostgresConfiguration(url: "postgresql://nobody@localhost/none"), logger: logger)
        return try Services(
            try Configurations.read(), providers: ProviderRegistry([]),
            mail: (FileSender(directory: "/nowhere") { _ in }, try MailAddress("login@ducks.org")), pool: pool,
            logger: logger)
    }
}
