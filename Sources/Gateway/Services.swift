import Accounts
import Cryptography
import Logging
import Postgres
import Providers
import ServiceLifecycle
import Sessions

/// The services of the core and the doors in front of them, wired; nothing is asked or read yet.
struct Services: Sendable {
    let clients: ClientRegistry
    let signingKeys: SigningKeys
    let keyStore: SigningKeyStore
    let directory: SessionDirectory
    let workers: [any Service]
    let rest: RESTDoor
    let web: WebDoor

    /// THE LIST of front doors.
    var frontDoors: [any FrontDoor] { [rest, web] }

    init(
        _ configuration: GatewayConfiguration, providers: ProviderRegistry,
        mail: (sender: any MailSender, from: MailAddress), pool: ConnectionPool, logger: Logger
    ) throws {
        let keys = configuration.masterKeys
        let publicURL = configuration.server.publicURL
        keyStore = SigningKeyStore(pool: pool, keys: keys)
        signingKeys = SigningKeys()
        clients = ClientRegistry(pool: pool)

        let issuer = TokenIssuer(issuer: publicURL, keys: signingKeys)
        let refreshTokens = RefreshTokens(keys: keys)
        let sessionCookies = SessionCookies(keys: keys)
        let starter = SessionStarter(issuer: issuer, refreshTokens: refreshTokens, keys: keys)
        directory = SessionDirectory(issuer: issuer, pool: pool, logger: logger)
        let throttles = Throttles(keys: keys, limits: configuration.throttles.limits)
        let hasher = PasswordHasher(
            parameters: configuration.passwords.parameters, threads: configuration.passwords.hashThreads,
            queueLimit: configuration.passwords.hashQueueLimit)
        let refusals = RefusalLog(pool: pool, logger: logger)
        let outcomes = OutcomeMetrics()

        let signIn = SignInService(
            providers: providers, clients: clients, pool: pool, keys: keys, starter: starter, directory: directory,
            logger: logger)
        let sessions = SessionService(
            pool: pool, issuer: issuer, refreshTokens: refreshTokens, clients: clients, directory: directory,
            logger: logger)
        let accounts = AccountService(pool: pool, signIn: signIn, directory: directory, logger: logger)
        let passwords = PasswordSignInService(
            pool: pool, hasher: hasher, throttles: throttles, keys: keys, starter: starter, logger: logger)
        let signUp = SignUpService(
            pool: pool, clients: clients, hasher: hasher, throttles: throttles, keys: keys, mail: mail.sender,
            mailFrom: mail.from, serviceName: configuration.serviceName,
            policy: PasswordPolicy(minimumLength: configuration.passwords.minimumLength), starter: starter,
            logger: logger)

        rest = RESTDoor(
            signIn: signIn, passwords: passwords, signUp: signUp, sessions: sessions,
            handover: HandoverService(
                pool: pool, codes: HandoverCodes(keys: keys), refreshTokens: refreshTokens, issuer: issuer,
                directory: directory, logger: logger),
            sessionCookies: sessionCookies, directory: directory, accounts: accounts,
            inspector: TokenInspector(
                issuer: issuer, refreshTokens: refreshTokens, directory: directory, sessions: sessions, pool: pool,
                logger: logger),
            clients: clients, signingKeys: signingKeys, refusals: refusals, outcomes: outcomes, issuer: publicURL)
        web = WebDoor(
            web: WebSignInService(
                providers: providers, clients: clients, signIn: signIn, accounts: accounts, keys: keys,
                publicURL: publicURL, logger: logger),
            tickets: WebTickets(keys: keys), passwords: passwords, signUp: signUp, signIn: signIn, sessions: sessions,
            sessionCookies: sessionCookies, directory: directory, accounts: accounts, clients: clients,
            refusals: refusals, outcomes: outcomes, forms: FormTokens(keys: keys), pages: try PageRenderer(),
            defaultClient: configuration.firstClient?.id,
            minimumPasswordLength: configuration.passwords.minimumLength, ownOrigin: publicURL,
            demandsSecureTransport: configuration.server.isPubliclySecure)
        workers = [
            refusals,
            NoticeWorker(
                pool: pool, sender: mail.sender, from: mail.from, serviceName: configuration.serviceName,
                logger: logger),
            Housekeeping(
                pool: pool, keyStore: keyStore, rotationDays: configuration.tokens.signingKeyRotationDays,
                overlap: configuration.keyOverlap, logger: logger),
            ProviderUpkeep(providers: providers),
        ]
    }
}
