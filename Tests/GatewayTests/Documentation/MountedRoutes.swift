import Accounts
import Cryptography
import Hummingbird
import Logging
import Postgres
import Providers
import Sessions

@testable import Gateway

/// The routes of the real doors, mounted on a real router.
///
/// Nothing is connected and nobody is asked.
enum MountedRoutes {
    /// `GET /v1/session` and so on, of both ports, without the HEAD that every GET brings.
    static func all() throws -> Set<String> {
        let router = Router(context: GatewayContext.self)
        try restDoor().mount(on: router)
        OperationsDoor(registry: MetricsRegistry(), health: HealthChecks([])).mount(on: router)
        return Set(router.routes.map { "\($0.method.rawValue) \($0.path.description)" })
    }

    private static func restDoor() throws -> RESTDoor {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let pool = ConnectionPool(
            configuration: PostgresConfiguration(url: "postgresql://nobody@localhost/none"), logger: logger)
        let keys = try MasterKeys(Configurations.masterKeys)
        let configuration = try Configurations.read()
        let signingKeys = SigningKeys()
        let issuer = TokenIssuer(issuer: configuration.server.publicURL, keys: signingKeys)
        let refreshTokens = RefreshTokens(keys: keys)
        let starter = SessionStarter(issuer: issuer, refreshTokens: refreshTokens)
        let directory = SessionDirectory(issuer: issuer, pool: pool, logger: logger)
        let clients = ClientRegistry(pool: pool)
        let throttles = Throttles(keys: keys, limits: configuration.throttles.limits)
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        let mail = FileSender(directory: "/nowhere") { _ in }
        let signIn = SignInService(
            providers: ProviderRegistry([]), clients: clients, pool: pool, keys: keys, starter: starter,
            directory: directory, logger: logger)
        let sessions = SessionService(
            pool: pool, issuer: issuer, refreshTokens: refreshTokens, clients: clients, directory: directory,
            logger: logger)
        return RESTDoor(
            signIn: signIn,
            passwords: PasswordSignInService(
                pool: pool, hasher: hasher, throttles: throttles, keys: keys, starter: starter, logger: logger),
            signUp: SignUpService(
                pool: pool, clients: clients, hasher: hasher, throttles: throttles, keys: keys, mail: mail,
                mailFrom: try MailAddress("login@ducks.org"), serviceName: "Ducks",
                policy: PasswordPolicy(minimumLength: 8),
                starter: starter, logger: logger),
            sessions: sessions, directory: directory,
            accounts: AccountService(pool: pool, signIn: signIn, directory: directory, logger: logger),
            inspector: TokenInspector(
                issuer: issuer, refreshTokens: refreshTokens, directory: directory, sessions: sessions, pool: pool,
                logger: logger),
            clients: clients, signingKeys: signingKeys, refusals: RefusalLog(pool: pool, logger: logger),
            issuer: issuer.issuer)
    }
}
