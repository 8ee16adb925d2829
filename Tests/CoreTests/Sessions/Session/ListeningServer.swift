import Cryptography
import Foundation
import Postgres
import TestSupport

@testable import Clients
@testable import Messages
@testable import Sessions
@testable import Vocabulary

/// A server's caches of sessions, keys and clients, with their change feed, and one session.
struct ListeningServer: Sendable {
    let database: TestDatabase
    let listener: NotificationListener
    let directory: SessionDirectory
    let clients: ClientRegistry
    let keys = SigningKeys()
    let keyStore: SigningKeyStore
    let feed: ChangeFeed
    /// The only pool that the directory uses.
    let reading: ConnectionPool
    /// An access token of the session.
    let token: String
    let session = UUID.v7(at: Date(), random: .system)

    private init(_ database: TestDatabase) async throws {
        self.database = database
        let master = try TestKeys.keys("k1")
        reading = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
        listener = NotificationListener(
            configuration: database.configuration(), channels: ChangeFeed.channels, logger: .silent)
        let issuer = TokenIssuer(issuer: "https://login.example", keys: keys)
        directory = SessionDirectory(issuer: issuer, pool: reading, logger: .silent)
        clients = ClientRegistry(pool: database.pool, keys: master, logger: .silent)
        keyStore = SigningKeyStore(pool: database.pool, keys: master)
        feed = ChangeFeed(
            listener: listener, directory: directory, clients: clients, keys: keys, keyStore: keyStore,
            outbox: Outbox(couriers: [:], pool: database.pool, keys: master, logger: .silent), logger: .silent)
        try await keyStore.ensureKeys()
        keys.replace(with: try await keyStore.load())
        let account = UUID.v7(at: Date(), random: .system)
        let facts = AccessTokenFacts(
            session: session, account: account, clientID: "app", provider: "password", authTime: Date(), amr: ["pwd"],
            acr: "1")
        token = try issuer.issue(facts, generation: 0, at: Date(), by: .lasting(3_600))
        let session = session
        try await database.pool.withTransaction { connection in
            try connection.execute("insert into clients (id, name) values ('app', 'App')")
            try connection.execute("insert into accounts (id) values (\(account))")
            try connection.execute(
                """
                insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                      idle_seconds, idle_expires_at, expires_at)
                values (\(session), \(account), 'app', 'password', now(), '{pwd}', '1', '\\x01', now(), 3600,
                        now() + interval '1 hour', now() + interval '1 day')
                """)
        }
    }

    static func with(_ body: (ListeningServer) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let server = try await ListeningServer(database)
            let answer: Result<Void, any Error>
            do { answer = .success(try await body(server)) } catch { answer = .failure(error) }
            await server.listener.shutdown()
            await server.reading.shutdown()
            try answer.get()
        }
    }

    /// Runs `body` while the feed runs.
    func listening(_ body: () async throws -> Void) async throws {
        let running = Task { try await feed.run() }
        defer { running.cancel() }
        listener.start()
        try await body()
    }

    /// Whether the token is valid, according to the cache alone.
    func believes() async throws -> Bool {
        _ = try await directory.check(PresentedToken(token), at: Date())
        let before = try await statements()
        _ = try await directory.check(PresentedToken(token), at: Date())
        return try await statements() == before
    }

    /// The number of the directory's reads.
    private func statements() async throws -> Int {
        // The single connection has counted all earlier statements when it serves this.
        try await reading.withConnection { _ in }
        return reading.statistics.counts.statements
    }

    /// The refusal of the token; nil if it is valid.
    func refusal() async -> Rejection? {
        do {
            _ = try await directory.check(PresentedToken(token), at: Date())
            return nil
        } catch {
            return error
        }
    }

    /// Returns after that many further attempts of the feed to read.
    func reads(_ count: Int, during change: () async throws -> Void) async throws {
        let pool = database.pool
        let before = pool.statistics.counts.finished
        try await change()
        try await poll(within: .seconds(30)) { pool.statistics.counts.finished >= before + count ? () : nil }
    }

    func run(_ script: String) async throws {
        try await reading.withConnection { try $0.executeScript(script) }
    }
}
