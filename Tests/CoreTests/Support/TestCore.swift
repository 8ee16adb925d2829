import Accounts
import Cryptography
import Foundation
import Logging
import Postgres
import Providers
import Synchronization
import TestSupport
import Testing

@testable import Clients
@testable import Messages
@testable import Outbound
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The services of the core on a database of their own, without a front door.
struct TestCore: Sendable {
    let database: TestDatabase
    let mail: Mailbox
    let flows: SignInFlows
    let factors: FactorService
    let accounts: AccountService
    let account: AccountSecurity
    let directory: SessionDirectory
    let clients: ClientRegistry

    /// The services behind the account of a signed-in user.
    struct AccountSecurity: Sendable {
        let addresses: AddressService
        let passwords: PasswordChangeService
        let sessions: SessionService
        let merging: MergeService
        let activity: ActivityService
        let deletion: DeletionService
    }

    static let password = "grey heron over the weir 41"

    private init(_ database: TestDatabase, _ providers: [any IdentityProvider]) async throws {
        let (pool, keys, logger) = (database.pool, try TestKeys.keys("k1"), Logger.silent)
        (self.database, mail) = (database, Mailbox())
        clients = ClientRegistry(pool: pool, keys: keys, logger: logger)
        let signingKeys = SigningKeys()
        let keyStore = SigningKeyStore(pool: pool, keys: keys)
        let issuer = TokenIssuer(issuer: "https://login.example.com", keys: signingKeys)
        let claims = ClaimsService(
            pool: pool, callout: ClaimsCallout(transport: HTTPClient(configuration: OutboundConfiguration())),
            issuer: issuer, tenant: nil, logger: logger)
        let tokens = SessionTokens(
            issuer: issuer, refreshTokens: RefreshTokens(keys: keys), profiles: AccountProfiles(pool: pool),
            subjects: PairwiseSubjects(pool: pool, logger: logger), keyStore: keyStore, logger: logger)
        let starter = SessionStarter(tokens: tokens, keys: keys, claims: claims)
        directory = SessionDirectory(issuer: issuer, pool: pool, logger: logger)
        let registry = ProviderRegistry(providers)
        let throttles = Throttles(keys: keys, limits: .test)
        let hasher = PasswordHasher(
            parameters: Argon2Parameters(memoryKiB: 8, passes: 1, lanes: 1), threads: 1, queueLimit: 64)
        let policy = PasswordPolicy(minimumLength: 8)
        let outbox = Outbox(couriers: [.email: mail], pool: pool, keys: keys, logger: logger)
        let shared = FlowServices(
            pool: pool, keys: keys, clients: clients, providers: registry, hasher: hasher, policy: policy,
            throttles: throttles, starter: starter, outbox: outbox, relyingParty: nil, serviceName: "Example",
            logger: logger)
        let (steps, names) = (FlowService(shared), NameSignInService(shared))
        let signIn = SignInService(shared, steps: steps, directory: directory, keys: keys)
        let signUps = SignUpService(shared, steps: steps, names: names)
        let merging = MergeService(
            pool: pool, keys: keys, directory: directory, signInMethods: signIn.signInMethods, logger: logger)
        accounts = AccountService(shared, signIn: signIn, directory: directory, merging: merging)
        factors = FactorService(shared, signIn: signIn, directory: directory)
        account = AccountSecurity(
            addresses: AddressService(shared, signIn: signIn, directory: directory),
            passwords: PasswordChangeService(
                pool: pool, clients: clients, keys: keys, hasher: hasher, throttles: throttles, policy: policy,
                logger: logger),
            sessions: SessionService(
                pool: pool, tokens: tokens, clients: clients, directory: directory, claims: claims, logger: logger),
            merging: merging, activity: ActivityService(pool: pool, keys: keys, logger: logger),
            deletion: DeletionService(pool: pool, directory: directory, waitingDays: 14, logger: logger))
        flows = SignInFlows(
            shared, signIn: signIn, steps: steps, names: names,
            providerLed: ProviderLedSignInService(shared, signIn: signIn, publicURL: "https://login.example.com"),
            guests: GuestSignInService(pool: pool, throttles: throttles, starter: starter, logger: logger),
            passkeys: PasskeySignInService(shared, steps: steps, keys: keys),
            passwords: PasswordSignInService(shared, steps: steps, resets: names, signUps: signUps, migration: nil),
            signUps: signUps, accounts: accounts)
        try await keyStore.ensureKeys()
        signingKeys.replace(with: try await keyStore.load())
        let methods = providers.map(\.id.rawValue) + FirstFactor.offered(sendsTexts: true, hasPasskeys: true)
        try await change(
            """
            insert into clients (id, name, linking_policy, providers) values ('app', 'App', 'both_verified', \(methods))
            """)
        try await clients.reload()
    }

    static func with(
        _ providers: [any IdentityProvider] = [], _ body: (TestCore) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in try await body(try await TestCore(database, providers)) }
    }

    func request(renewing: Bool = false) throws -> SignInRequest {
        SignInRequest(
            client: try #require(clients.client("app")), device: DeviceHint(), renewsFlowTokens: renewing,
            caller: Self.caller)
    }

    static let caller = Caller(address: "192.0.2.7", requestID: "test")

    func call(_ flow: String, renewing: Bool = false) -> FlowCall {
        FlowCall(flow, renewsFlowTokens: renewing, caller: Self.caller)
    }

    func change(_ sql: SQL) async throws { _ = try await database.pool.withConnection { try $0.execute(sql) } }

    func count(_ sql: SQL) async throws -> Int {
        try await database.pool.withConnection { try #require(try $0.queryOne(sql)).value(0) }
    }

    /// Signs a new user up with a mailbox and ``password``.
    func signUp(_ address: String) async throws -> SignedIn {
        let form = SignUpForm(username: address, password: Self.password)
        let pending = try await flows.begin(.signUp(form), request()).pending
        let answer = StepResponse(.code(try #require(mail.code(to: address))))
        return try await flows.answer(answer, call(pending.flow), for: .signUp).signedIn
    }

    func signIn(_ address: String, _ password: String = Self.password) async throws -> SignedIn {
        try await flows.begin(.password(name: address, password: password), request()).signedIn
    }

    /// The live session of a sign-in.
    func session(_ signedIn: SignedIn) async throws -> SessionSnapshot {
        try await directory.check(PresentedToken(try signedIn.issued.accessToken), at: directory.now)
    }
}

struct Unexpected: Error {
    let what: String
}

extension SignInOutcome {
    var pending: PendingStep {
        get throws {
            guard case .nextStep(let pending) = self else { throw Unexpected(what: "\(self)") }
            return pending
        }
    }

    var signedIn: SignedIn {
        get throws {
            guard case .signedIn(let signedIn) = self else { throw Unexpected(what: "\(self)") }
            return signedIn
        }
    }
}

extension SignedIn {
    var issued: IssuedSession {
        get throws {
            guard case .tokens(let issued) = session else { throw Unexpected(what: "\(session)") }
            return issued
        }
    }
}

/// A courier that keeps the newest code of each address.
final class Mailbox: Courier {
    private let codes = Mutex<[String: String]>([:])

    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String? {
        if case .code(_, let code, _) = message.content {
            codes.withLock { $0[message.destination.text] = code }
        }
        return nil
    }

    func code(to address: String) -> String? { codes.withLock { $0[address] } }

    /// A code that differs from the sent one.
    func wrongCode(to address: String) -> String { code(to: address) == "000000" ? "000001" : "000000" }
}

extension ThrottleLimits {
    static let test = ThrottleLimits(
        accountBurst: 100, accountPerHour: 600, addressBurst: 1_000, addressPerMinute: 600, clientPerMinute: 6_000,
        smsAddressPerHour: 10, smsClientPerHour: 2_000, wrongAddressPerHour: 600,
        linkAddressPerHour: 30, mailAddressPerHour: 1_200, mailClientPerHour: 10_000)
}
