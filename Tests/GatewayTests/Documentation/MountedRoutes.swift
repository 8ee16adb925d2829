import Hummingbird
import Logging
import Postgres
import Providers

@testable import Gateway
@testable import GatewaySettings
@testable import HTTPServer
@testable import Messages
@testable import Outbound
@testable import Telemetry

/// The routes of the real doors, mounted on a real router without a connection or a call.
enum MountedRoutes {
    /// `GET /v1/session` and so on, of both ports, without the HEAD of every GET.
    ///
    /// The doors of other vendors' protocols are described in docs/compatibility, by their vendors' names.
    ///
    /// - Parameter configuration: the settings; some paths exist only with their setting.
    static func all(_ configuration: GatewayConfiguration? = nil) throws -> Set<String> {
        Set(try router(configuration).routes.map { "\($0.method.rawValue) \($0.path.description)" })
    }

    /// All routes on one router.
    static func router(_ configuration: GatewayConfiguration? = nil) throws -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self)
        let services = try services(configuration ?? Configurations.read(everything))
        for door in services.rest + services.openID + services.web { door.mount(on: router) }
        for door in services.operators { door.mount(on: router) }
        OperationsDoor(registry: MetricsRegistry(), health: HealthChecks([])).mount(on: router)
        return router
    }

    /// The settings of all paths.
    private static let everything = [
        "DELIVERY_EVENTS_SECRET": "0123456789abcdef0123456789abcdef", "PUBLIC_URL": "https://ducks.org",
        "ENVIRONMENT": "development", "CLIENT_REGISTRATION": "open",
        "SMS_SENDER": "twilio", "TWILIO_ACCOUNT_SID": "AC0123", "TWILIO_AUTH_TOKEN": "hush",
        "TWILIO_FROM": "+15005550006",
        "PASSKEY_APPLE_APPS": "DUCKS12345.org.ducks.app",
        "PASSKEY_ANDROID_APPS": "org.ducks.app:" + Array(repeating: "AB", count: 32).joined(separator: ":"),
    ]

    /// The provider that sends notifications.
    private static func apple() throws -> AppleProvider {
        try AppleProvider(
            AppleProvider.Configuration(teamID: "DUCKS12345", nativeClientIDs: ["org.ducks.app"]),
            upstream: Upstream(transport: HTTPClient(), health: ProviderHealth(provider: .apple)))
    }

    private static func services(_ configuration: GatewayConfiguration) throws -> Services {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pool = ConnectionPool(
            configuration: PostgresConfiguration(url: "postgresql://nobody@localhost/none"), logger: logger)
        return try Services(
            configuration, providers: ProviderRegistry([try apple()]),
            delivery: DeliverySettings(
                mail: FileSender(directory: "/nowhere") { _ in }, from: try MailAddress("login@ducks.org"), sms: nil,
                serviceName: "Ducks", publicURL: "https://ducks.org", language: "en"),
            callouts: Callouts(try Configurations.read(), HTTPClient(), logger),
            certificateEnd: { nil },
            pool: pool,
            logger: logger)
    }
}
