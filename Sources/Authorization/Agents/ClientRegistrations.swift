package import Clients
package import Cryptography
import Foundation
import JSON
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Registers apps that ask for it themselves (RFC 7591), and lets them manage their registration (RFC 7592).
package struct ClientRegistrations: Sendable {
    private let pool: ConnectionPool
    private let clients: ClientRegistry
    package let policy: RegistrationPolicy
    /// The ids of the sign-in methods at such an app: a session of any of them serves it.
    private let methods: [String]
    private let throttles: Throttles
    private let sectors: SectorDocuments
    private let budget: FetchBudget
    /// Authenticates registration access tokens, so that none is stored.
    private let mac: ShortMAC
    private let box: SealedBox
    private let logger: Logger

    private static let most: Int32 = 10_000
    private static let prefix = SecretPrefix.registrationToken

    package init(
        pool: ConnectionPool, clients: ClientRegistry, policy: RegistrationPolicy, methods: [String],
        throttles: Throttles, sectors: SectorDocuments, keys: MasterKeys, logger: Logger
    ) {
        (self.pool, self.clients, self.policy) = (pool, clients, policy)
        (self.methods, self.throttles, self.logger) = (methods, throttles, logger)
        (self.sectors, budget) = (sectors, FetchBudget(throttles: throttles, pool: pool, logger: logger))
        (mac, box) = (ShortMAC(keys, "client registration"), SealedBox(keys))
    }

    /// A registration that was just made.
    package struct Registered: Sendable {
        package let client: String
        /// Nil for a client with keys, and for a public one; shown once.
        package let secret: String?
        /// Of the management of the registration (RFC 7592 §3).
        package let token: String
    }

    /// - Parameter bearer: the initial access token.
    /// - Throws: `tokenInvalid` without the initial access token that the policy demands, `throttled`;
    ///   ``ClientMetadata/Fault`` for a sector that can't be used.
    package func register(
        _ metadata: ClientMetadata, bearer: String?, caller: Caller
    ) async throws -> Registered {
        guard policy.admits(bearer) else { throw Rejection.tokenInvalid }
        try await checkSector(of: metadata, caller)
        let id = "dyn-" + Base64URL.encode(RandomBytes.system(12))
        let secret = metadata.method.hasSecret ? Base64URL.encode(RandomBytes.system(32)) : nil
        let stored = secret.map { StoredClientSecret($0, of: id, kept: .digest, box) }
        let price = throttles.registration(address: caller.address)
        let wait: Int = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select register_client(\(id), \(metadata.name.isEmpty ? id : metadata.name), \(stored?.digest), \(metadata.redirectURIs),
                                           \(methods), \(JSONText(metadata.openID.json.text)), \(policy.isByInvitation),
                                           \(Self.most), \(caller.address), \(caller.requestID), \(price))
                    """
                ).map { try $0.wholeSeconds(0) } ?? 0
            }
        }
        guard wait == 0 else { throw Rejection.throttled(retryAfter: wait) }
        try await rejecting(logger) { try await clients.reload() }
        return Registered(client: id, secret: secret, token: Self.prefix.text(mac.code(Array(id.utf8))))
    }

    /// Reads the document of the sector, if there is one.
    private func checkSector(of metadata: ClientMetadata, _ caller: Caller) async throws {
        let address = metadata.openID.sectorIdentifierURI
        if let address { try await budget.charge(address, by: caller) }
        do throws(SectorFault) {
            var document: SectorDocument?
            if let address { document = try await sectors.document(at: address) }
            try metadata.checkSector(in: document)
        } catch {
            throw error.ofMetadata
        }
    }

    /// The client of a registration access token.
    ///
    /// - Throws: `tokenInvalid` for an unknown client, and for another one's token.
    package func client(_ id: String, token: String?) throws(Rejection) -> Client {
        guard let bytes = token.flatMap(Self.prefix.bytes), mac.holds(bytes, for: Array(id.utf8)),
            let client = clients.client(id), client.origin == .registration
        else { throw .tokenInvalid }
        return client
    }

    /// Replaces name, addresses, sector and keys, which voids what users granted.
    ///
    /// It costs as much as a registration: an audit row for ever, and every server reads its clients again.
    ///
    /// - Throws: ``ClientMetadata/Fault`` for a sector that can't be used, `throttled`.
    package func replace(_ client: Client, by metadata: ClientMetadata, caller: Caller) async throws {
        let price = throttles.registration(address: caller.address)
        let wait: Int = try await rejecting(logger) {
            try await pool.withConnection { try $0.row("select take_from_throttles(\(price))").wholeSeconds(0) }
        }
        guard wait == 0 else { throw Rejection.throttled(retryAfter: wait) }
        try await checkSector(of: metadata, caller)
        try await change(
            """
            select replace_registration(\(client.id), \(metadata.name.isEmpty ? client.id : metadata.name), \(metadata.redirectURIs),
                                        \(JSONText(metadata.openID.json.text)), \(caller.address), \(caller.requestID))
            """)
    }

    /// Ends a registration, and the sessions of its users.
    package func end(_ client: Client, caller: Caller) async throws(Rejection) {
        try await change("select end_registration(\(client.id), \(caller.address), \(caller.requestID))")
    }

    private func change(_ statement: SQL) async throws(Rejection) {
        try await rejecting(logger) {
            try await pool.withConnection { _ = try $0.execute(statement) }
            try await clients.reload()
        }
    }
}
