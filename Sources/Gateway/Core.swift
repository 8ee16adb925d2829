import Accounts
import Cryptography
import Foundation
import Logging
import Postgres
import Providers
import ServiceLifecycle
import Sessions

/// The services of the core, wired.
struct Core: Sendable {
    let clients: ClientRegistry
    let signingKeys: SigningKeys
    let frontDoors: [any FrontDoor]
    let workers: [any Service]
    private let directory: SessionDirectory
    private let keyStore: SigningKeyStore
    private let logger: Logger

    /// Hears what other servers change.
    func feed(_ listener: NotificationListener) -> ChangeFeed {
        ChangeFeed(
            listener: listener, directory: directory, clients: clients, keys: signingKeys, keyStore: keyStore,
            logger: logger)
    }

    static func build(configuration: GatewayConfiguration, pool: ConnectionPool, logger: Logger) async throws -> Core {
        let keys = configuration.masterKeys
        let outbound = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
        let providers = try FarSides.registry(configuration.providers, outbound)
        let mail = try FarSides.mail(configuration.delivery)

        let keyStore = SigningKeyStore(pool: pool, keys: keys)
        let signingKeys = SigningKeys()
        try await keyStore.ensureKeys()
        signingKeys.replace(with: try await keyStore.load())
        let clients = ClientRegistry(pool: pool)
        if let first = configuration.client { try await clients.addIfAbsent(first) }
        try await clients.reload()

        let issuer = TokenIssuer(issuer: configuration.server.publicURL, keys: signingKeys)
        let refreshTokens = RefreshTokens(keys: keys)
        let starter = SessionStarter(issuer: issuer, refreshTokens: refreshTokens)
        let directory = SessionDirectory(issuer: issuer, pool: pool, logger: logger)
        let throttles = Throttles(keys: keys, limits: configuration.throttles.limits)
        let hasher = PasswordHasher(
            parameters: configuration.passwords.parameters, threads: configuration.passwords.hashThreads,
            queueLimit: configuration.passwords.hashQueueLimit)
        let refusals = RefusalLog(pool: pool, logger: logger)

        let signIn = SignInService(
            providers: providers, clients: clients, pool: pool, keys: keys, starter: starter, directory: directory,
            logger: logger)
        let sessions = SessionService(
            pool: pool, issuer: issuer, refreshTokens: refreshTokens, clients: clients, directory: directory,
            logger: logger)
        let serviceName = configuration.serviceName
        let rest = RESTDoor(
            signIn: signIn,
            passwords: PasswordSignInService(
                pool: pool, hasher: hasher, throttles: throttles, keys: keys, starter: starter, logger: logger),
            signUp: SignUpService(
                pool: pool, clients: clients, hasher: hasher, throttles: throttles, keys: keys, mail: mail.sender,
                mailFrom: mail.from,
                serviceName: serviceName, policy: PasswordPolicy(minimumLength: configuration.passwords.minimumLength),
                starter: starter,
                logger: logger),
            sessions: sessions, directory: directory,
            accounts: AccountService(pool: pool, signIn: signIn, directory: directory, logger: logger),
            inspector: TokenInspector(
                issuer: issuer, refreshTokens: refreshTokens, directory: directory, sessions: sessions, pool: pool,
                logger: logger),
            clients: clients, signingKeys: signingKeys, refusals: refusals, issuer: issuer.issuer)
        let workers: [any Service] = [
            refusals,
            NoticeWorker(pool: pool, sender: mail.sender, from: mail.from, serviceName: serviceName, logger: logger),
            Housekeeping(
                pool: pool, keyStore: keyStore, rotationDays: configuration.tokens.signingKeyRotationDays,
                overlap: configuration.keyOverlap, logger: logger),
            ProviderUpkeep(providers: providers),
        ]
        return Core(
            clients: clients, signingKeys: signingKeys, frontDoors: [rest], workers: workers, directory: directory,
            keyStore: keyStore,
            logger: logger)
    }
}
