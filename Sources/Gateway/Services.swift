import Accounts
import AdminHTTP
import Audit
import Authorization
import Clients
import Cognito
import Console
import Cryptography
import Foundation
import GatewaySettings
import HTTPServer
import Logging
import Messages
import NativeAuth
import OpenID
import OperatorAccess
import Operators
import Pages
import Postgres
import Providers
import REST
import ServiceLifecycle
import Sessions
import SignIn
import Telemetry
import Vocabulary
import Web

/// The services of the core and the doors in front of them, wired; nothing is asked or read yet.
struct Services: Sendable {
    let clients: ClientRegistry
    let signingKeys: SigningKeys
    let keyStore: SigningKeyStore
    let directory: SessionDirectory
    let outbox: Outbox
    let messageTexts: MessageTexts
    let pool: ConnectionPool
    let credentials: ExpiringCredentials
    let workers: [any Service]
    let rest: [any FrontDoor]
    /// For relying parties of OpenID Connect.
    let openID: [any FrontDoor]
    let web: [any FrontDoor]
    /// The APIs of other vendors.
    let dialects: [any FrontDoor]
    let admin: any FrontDoor
    let console: any FrontDoor
    let refusalPage: RefusalPage
    private let appLinks: any FrontDoor

    /// THE LIST of front doors.
    var frontDoors: [any FrontDoor] { rest + openID + web + dialects + operators }

    /// The doors of operators, and of the systems that look for an operator's apps.
    var operators: [any FrontDoor] { [admin, console, appLinks] }

    init(
        _ configuration: GatewayConfiguration, providers: ProviderRegistry,
        delivery: DeliverySettings, callouts: Callouts,
        certificateEnd: @escaping @Sendable () -> Date?,
        pool: ConnectionPool, clock: DatabaseClock = DatabaseClock(),
        requests: SlowRequests = SlowRequests(host: "", viewer: nil), logger: Logger
    ) throws {
        let now: @Sendable () -> Date = { clock.now }
        let keys = configuration.masterKeys
        let publicURL = configuration.server.publicURL
        keyStore = SigningKeyStore(pool: pool, keys: keys)
        signingKeys = SigningKeys()
        credentials = ExpiringCredentials(
            configuration, certificateEnd: certificateEnd,
            signingSince: { [signingKeys] in signingKeys.newestActivation })
        clients = ClientRegistry(
            pool: pool, keys: keys, publicURL: publicURL, operatorSessions: configuration.operators.sessions,
            takesLocalOrigins: configuration.server.environment == .development,
            readyDialects: { [keyStore, signingKeys] in try await keyStore.ready(.rs256, in: signingKeys) },
            logger: logger)

        let issuer = TokenIssuer(
            issuer: publicURL, keys: signingKeys,
            poolIssuer: { [clients] in clients.cognitoClient($0)?.dialects.cognito?.issuer(at: publicURL) })
        let refreshTokens = RefreshTokens(keys: keys)
        let sessionCookies = SessionCookies(keys: keys)
        let claims = ClaimsService(
            pool: pool, callout: callouts.claims, issuer: issuer, tenant: configuration.claims.tenant, logger: logger)
        let subjects = PairwiseSubjects(pool: pool, logger: logger)
        let tokens = SessionTokens(
            issuer: issuer, refreshTokens: refreshTokens, profiles: AccountProfiles(pool: pool), subjects: subjects,
            keyStore: keyStore, logger: logger)
        let starter = SessionStarter(
            tokens: tokens, keys: keys, claims: claims, browserSessions: configuration.tokens.browserSessions,
            mailsNewDevices: configuration.accounts.newDeviceNotices, now: now)
        directory = SessionDirectory(issuer: issuer, pool: pool, clock: clock, logger: logger)
        let throttles = Throttles(keys: keys, limits: configuration.throttles.limits)
        let hasher = PasswordHasher(
            parameters: configuration.passwords.parameters, threads: configuration.passwords.hashThreads,
            queueLimit: configuration.passwords.hashQueueLimit)
        let refusals = RefusalLog(pool: pool, few: configuration.audit.refusalsPerMinute, logger: logger)
        let outcomes = OutcomeMetrics()

        let policy = PasswordPolicy(
            minimumLength: configuration.passwords.minimumLength, serviceWords: configuration.passwords.serviceWords)
        let defaultClient = configuration.firstClient?.id
        self.pool = pool
        messageTexts = try MessageTexts.read()
        outbox = Outbox(
            delivery, texts: messageTexts,
            client: { [clients] id in (id ?? defaultClient).flatMap(clients.client) }, pool: pool,
            keys: keys, now: now, logger: logger)
        var asked = FlowServices.Callouts()
        (asked.challenge, asked.breaches) = (callouts.challenge, callouts.breaches)
        asked.bots = Self.botGate(configuration, callouts, pool, throttles, logger)
        let shared = FlowServices(
            pool: pool, keys: keys, clients: clients, providers: providers, hasher: hasher, policy: policy,
            throttles: throttles, starter: starter, outbox: outbox, callouts: asked,
            relyingParty: configuration.passkeys.relyingParty, serviceName: configuration.serviceName,
            temporaryPasswordDays: configuration.accounts.temporaryPasswordDays, logger: logger, now: now)
        let steps = FlowService(shared)
        let names = NameSignInService(shared)
        let signIn = SignInService(shared, steps: steps, directory: directory, keys: keys)
        let providerLed = ProviderLedSignInService(shared, signIn: signIn, publicURL: publicURL)
        let sessions = SessionService(
            pool: pool, tokens: tokens, clients: clients, directory: directory, claims: claims,
            repeats: RefreshRepeats(late: configuration.tokens.refreshLateRepeatHours * 3_600),
            budget: RefreshBudget(perHour: configuration.throttles.refreshPerHour), logger: logger)
        let merging = MergeService(
            pool: pool, keys: keys, directory: directory, signInMethods: signIn.signInMethods, logger: logger, now: now)
        let accounts = AccountService(shared, signIn: signIn, directory: directory, merging: merging)
        let signUp = SignUpService(shared, steps: steps, names: names)
        let passwords = PasswordSignInService(
            shared, steps: steps, resets: names, signUps: signUp,
            migration: PasswordMigration(providerLed: providerLed, providers: configuration.passwords.migrateFrom))

        let factors = FactorService(shared, signIn: signIn, directory: directory)
        let addresses = AddressService(shared, signIn: signIn, directory: directory)
        let deletion = DeletionService(
            pool: pool, directory: directory, waitingDays: configuration.accounts.deletionDays, logger: logger)
        let export = ExportService(pool: pool, logger: logger)
        let activity = ActivityService(pool: pool, keys: keys, logger: logger)
        let passkeys = PasskeySignInService(shared, steps: steps, keys: keys)
        let passwordChange = PasswordChangeService(
            pool: pool, clients: clients, keys: keys, hasher: hasher, throttles: throttles, policy: policy,
            breaches: callouts.breaches,
            logger: logger)

        let flows = SignInFlows(
            shared, signIn: signIn, steps: steps, names: names, providerLed: providerLed,
            guests: GuestSignInService(pool: pool, throttles: throttles, starter: starter, logger: logger),
            passkeys: passkeys, passwords: passwords, signUps: signUp, accounts: accounts)
        let log = CallLog(refusals: refusals, outcomes: outcomes)
        let handover = HandoverService(
            pool: pool, codes: HandoverCodes(keys: keys), tokens: tokens, directory: directory, claims: claims,
            logger: logger)
        let inspector = TokenInspector(
            issuer: issuer, refreshTokens: refreshTokens, directory: directory, sessions: sessions, clients: clients,
            pool: pool, logger: logger)
        let services = DoorServices(
            log: log, directory: directory, clients: clients, flows: flows, sessions: sessions, handover: handover,
            inspector: inspector, accounts: accounts, factors: factors, addresses: addresses,
            passwordChange: passwordChange, activity: activity, merging: merging, deletion: deletion, export: export,
            grants: AppGrants(pool: pool, directory: directory, logger: logger), signingKeys: signingKeys,
            proofs: KeyProofs(pool: pool, keys: keys, origin: publicURL, now: now, logger: logger),
            publicURL: publicURL)
        rest = RESTDoors.all(
            services, sessionCookies: sessionCookies,
            reports: DeliveryReports(
                pool: pool, secret: configuration.delivery.eventsSecret, twilio: configuration.twilioCallback,
                logger: logger),
            notifications: ProviderNotifications(
                providers: providers, throttles: throttles, pool: pool, signInMethods: signIn.signInMethods,
                logger: logger, now: now))
        let site = Site(
            log: log, flows: flows,
            web: WebSignInService(
                providers: providers, clients: clients, signIn: signIn, accounts: accounts, keys: keys,
                publicURL: publicURL, logger: logger, now: now),
            sessions: sessions, handover: handover, directory: directory, clients: clients,
            forms: FormTokens(keys: keys),
            tickets: WebTickets(keys: keys), sessionCookies: sessionCookies,
            renderer: try PageRenderer(promised: Self.promisedMessages, logger: logger),
            settings: SiteSettings(
                defaultClient: configuration.firstClient?.id,
                minimumPasswordLength: configuration.passwords.minimumLength, sendsTexts: outbox.reaches(.sms),
                ownOrigin: publicURL, demandsSecureTransport: configuration.server.isPubliclySecure,
                showsDetails: configuration.server.environment == .development),
            providerName: signIn.providerName)
        web = WebDoors.all(
            services, site: site, invitations: InvitationService(shared, names: names),
            disowning: DisownService(
                pool: pool, keys: keys, directory: directory, signInMethods: signIn.signInMethods, logger: logger,
                now: now),
            hasReference: configuration.server.environment == .development)
        let desk = AdminDesk(pool: pool, readsPerMinute: configuration.operators.readsPerMinute, now: now)
        let impersonation = Impersonation(
            desk: desk, cookies: sessionCookies, tokens: tokens, directory: directory, clients: clients)
        openID = OpenIDDoors.all(
            services, site: site,
            requests: AuthorizationRequests(pool: pool, keys: keys, throttles: throttles, logger: logger),
            devices: DeviceRequests(
                pool: pool, keys: keys, handover: handover, throttles: throttles, logger: logger),
            agents: AgentServices(
                configuration, pool: pool, clients: clients, transport: callouts.documents,
                methods: signIn.signInMethods, throttles: throttles, now: now, logger: logger),
            issuer: issuer, profiles: AccountProfiles(pool: pool),
            assertions: ClientAssertions(
                pool: pool,
                keySets: ClientKeySets(
                    transport: callouts.documents,
                    budget: FetchBudget(throttles: throttles, pool: pool, logger: logger), logger: logger),
                issuer: publicURL, now: now, logger: logger),
            exchanger: TokenExchanger(
                issuer: issuer, keyStore: keyStore, directory: directory, clients: clients, subjects: subjects,
                pool: pool, logger: logger),
            assertionSignIn: AssertionSignIn(shared, issuer: publicURL), impersonation: impersonation,
            subjects: subjects,
            readyKeys: { [keyStore, signingKeys] in try await keyStore.ready(.rs256, in: signingKeys) },
            raise: { session, asked, call async throws(Rejection) in try await site.raise(session, to: asked, &call) })
        let provisioned = ProvisionedPasswords(
            pool: pool, hasher: hasher, policy: policy, breaches: callouts.breaches, keys: keys, logger: logger)
        let operators = AdminServices(
            configuration, desk: desk, providers: providers, signInMethods: signIn.signInMethods,
            credentials: credentials, messages: configuration.messages(texts: messageTexts, outbox: outbox),
            sectors: SectorDocuments(transport: callouts.documents),
            creation: AccountCreation(
                desk: desk, outbox: outbox, hashing: Self.hashing(provisioned, clients)))
        let streams = StreamPlaces()
        admin = RESTDoors.admin(services, operators: operators, streams: streams, logger: logger)
        let users = UserDirectory(desk: desk)
        let provisioning = UserProvisioning(
            desk: desk, directory: users, care: operators.care,
            passwords: provisioned, outbox: outbox)
        dialects =
            CognitoDoors.all(
                services, site: site,
                names: FlowNames(pool: pool, keys: keys, throttles: throttles, logger: logger), operators: operators,
                users: users, provisioning: provisioning, logger: logger)
            + NativeAuthDoors.all(
                services, site: site, continuations: ContinuationTokens(keys: keys, now: now), logger: logger)
        refusalPage = { site.refusalPage($0, $1, $2) }
        console = ConsoleDoor(
            web: site, services: operators, impersonation: impersonation, client: configuration.operators.consoleClient,
            issuer: publicURL,
            providerName: signIn.providerName, requests: requests, streams: streams,
            raise: { session, asked, call async throws(Rejection) in try await site.raise(session, to: asked, &call) },
            sampleLogin: {
                WebDoors.sampleLogin(clientName: $0.clientName, providers: $0.providers, hasNames: $0.hasNames)
            })
        appLinks = AppLinksDoor(
            appleApps: configuration.passkeys.appleApps,
            androidApps: configuration.passkeys.androidApps,
            relatedOrigins: configuration.passkeys.relatedOrigins,
            attackChallenge: configuration.server.attackChallenge, clients: clients)
        workers =
            [
                refusals,
                Housekeeping(
                    pool: pool, keyStore: keyStore, rotationDays: configuration.tokens.signingKeyRotationDays,
                    overlap: configuration.keyOverlap, guestDays: configuration.accounts.guestDays,
                    signInMethods: signIn.signInMethods, clock: clock, logger: logger),
                ProviderUpkeep(providers: providers),
                AuditSealer(pool: pool, keys: keys, followers: [EventFeed()], logger: logger),
                EventCourier(pool: pool, keys: keys, transport: callouts.events, logger: logger),
                LogoutNotices(
                    pool: pool, clients: clients, issuer: issuer, transport: callouts.events, now: now, logger: logger),
                AuditRetention(pool: pool, keepMonths: configuration.audit.keepMonths, logger: logger),
                AuditInboxWatch(pool: pool, logger: logger),
                RevocationWorker(pool: pool, providers: providers, keys: keys, logger: logger),
                TokenCheckWorker(pool: pool, providers: providers, keys: keys, logger: logger),
            ] + outbox.workers
    }
}

extension Services {
    /// The messages whose keys the pages compose.
    private static var promisedMessages: Messages.Promised {
        Messages.Promised(
            pages: Array(Messages.promised.union(Messages.promisedByOpenID)), console: ConsoleWords.promised)
    }

    /// The hashing of the passwords that back ends set for new accounts.
    private static func hashing(
        _ passwords: ProvisionedPasswords, _ clients: ClientRegistry
    ) -> AccountCreation.Hashing {
        { password, account, user, id, caller in
            guard let client = clients.client(id) else { throw Rejection.clientUnknown() }
            return try await passwords.verifiers(
                of: password, for: account, email: user.email, names: user.signInNames, client: client, caller: caller)
        }
    }

    /// Nil where no bot check service is configured.
    private static func botGate(
        _ configuration: GatewayConfiguration, _ callouts: Callouts, _ pool: ConnectionPool,
        _ throttles: Throttles, _ logger: Logger
    ) -> BotGate? {
        guard let settings = configuration.botChecks, let checks = callouts.botChecks else { return nil }
        return BotGate(
            widget: settings.widget, checks: checks, pool: pool, throttles: throttles,
            freePerHour: settings.freePerHour, publicURL: configuration.server.publicURL, logger: logger)
    }
}
