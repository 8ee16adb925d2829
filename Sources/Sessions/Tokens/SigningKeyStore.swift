package import Clients
package import Cryptography
package import Foundation
import JSON
package import Postgres
import Synchronization
import Vocabulary

/// Signing keys in the database, their private halves sealed with the master key.
package final class SigningKeyStore: Sendable {
    private let pool: ConnectionPool
    /// The creation that runs now, for each algorithm: callers at the same time share it.
    private let creations = Mutex<[TokenProfile.Algorithm: Task<Void, any Error>]>([:])
    private let box: SealedBox
    private static let purpose = "signing key"
    /// Serialises every server and operator that wants to add a key.
    private static let lock = 0x6B65_7973

    package init(pool: ConnectionPool, keys: MasterKeys) {
        self.pool = pool
        box = SealedBox(keys)
    }

    /// Every key that a live token may have.
    package func load() async throws -> [SigningKey] {
        let box = box
        return try await pool.query(
            """
            select id, published_at, activates_at, retires_at, public_jwk::text, sealed, algorithm from signing_keys
             where retires_at is null or retires_at > now()
            """
        ) { row in try Self.key(row, box) }
    }

    /// Makes sure that tokens can be signed with an algorithm: its keys exist, and this server has read them.
    package func ready(_ algorithm: TokenProfile.Algorithm, in keys: SigningKeys) async throws {
        guard !keys.has(algorithm) else { return }
        let creation = creations.withLock { creations in
            let running = creations[algorithm]
            let task = running ?? Task { try await self.create(algorithm, in: keys) }
            creations[algorithm] = task
            return task
        }
        try await creation.value
    }

    private func create(_ algorithm: TokenProfile.Algorithm, in keys: SigningKeys) async throws {
        // A failed creation is not kept: the next caller tries again.
        defer { creations.withLock { $0[algorithm] = nil } }
        try await ensureKeys(also: algorithm)
        keys.replace(with: try await load())
    }

    /// Creates the first key and the next one if there are none, for each algorithm that a client's tokens need.
    package func ensureKeys(also more: TokenProfile.Algorithm? = nil) async throws {
        let box = box
        let missing = try await pool.withConnection { try Self.missing(also: more, $0) }
        guard !missing.isEmpty else { return }
        // Before the lock: an RSA key takes seconds on a busy machine, and other servers would wait that long.
        let made = try missing.map { ($0, try Self.seal($0.algorithm, box)) }
        try await pool.withTransaction { connection in
            try Self.hold(connection)
            let missing = try Self.missing(also: more, connection)
            for (place, key) in made where missing.contains(place) { try Self.insert(key, connection, place) }
        }
    }

    /// A key that an algorithm lacks: the current or the next one.
    private struct Place: Hashable {
        let algorithm: TokenProfile.Algorithm
        let active: Bool
    }

    private static func missing(also more: TokenProfile.Algorithm?, _ connection: Connection) throws -> [Place] {
        try Set(try needed(connection) + [more].compactMap(\.self)).flatMap { algorithm in
            let states = try connection.query(
                "select activates_at is null from signing_keys where retires_at is null and algorithm = \(algorithm.rawValue)"
            ).map { try $0.value(0, as: Bool.self) }
            return [true, false].filter { !states.contains(!$0) }.map { Place(algorithm: algorithm, active: $0) }
        }
    }

    /// RSA keys are made for clients that speak a vendor's dialect; for others by the first token that needs one (`ready`).
    private static func needed(_ connection: Connection) throws -> [TokenProfile.Algorithm] {
        let needsRSA: Bool? = try connection.queryOne("select exists (select from clients where dialects <> '{}')")?
            .value(0)
        return needsRSA == true ? [.es256, .rs256] : [.es256]
    }

    /// Activates the next key of each algorithm, retires the current one, and publishes another next key.
    ///
    /// - Parameters:
    ///   - lead: seconds between a key's publication and its activation; verifiers cache a key set that long.
    ///   - overlap: seconds that the old key stays public, at least the lifetime of an access token; nil removes it at
    ///     once, and with it every token that it signed.
    /// - Returns: the latest activation of a next key.
    package func rotate(lead: Int, overlap: Int?, reason: String, requestID: String) async throws -> Date {
        let box = box
        return try await pool.withTransaction { connection in
            try Self.hold(connection)
            let promoted = try connection.query(
                """
                update signing_keys set activates_at = greatest(now() + interval '2 seconds', published_at + make_interval(secs => \(lead)))
                 where activates_at is null returning id, activates_at, algorithm
                """
            ).map { Promoted(id: try $0.value(0), moment: try $0.value(1), algorithm: try Self.algorithm($0, 2)) }
            for key in promoted {
                try connection.execute(
                    """
                    update signing_keys set retires_at = coalesce(\(key.moment) + make_interval(secs => \(overlap)), now())
                     where activates_at is not null and id <> \(key.id) and algorithm = \(key.algorithm.rawValue)
                       and (retires_at is null or (\(overlap == nil) and retires_at > now()))
                    """)
                try Self.insert(
                    Self.seal(key.algorithm, box), connection, Place(algorithm: key.algorithm, active: false))
                try connection.execute(
                    """
                    insert into audit_inbox (action, outcome, reason, request_id, detail)
                    values ('signing_key_rotated', 'done', \(reason), \(requestID), jsonb_build_object('key', \(key.id)::text))
                    """)
            }
            guard let last = promoted.map(\.moment).max() else { throw Rejection.notFound }
            return last
        }
    }

    /// A key that a rotation activates.
    private struct Promoted {
        let id: String
        let moment: Date
        let algorithm: TokenProfile.Algorithm
    }

    /// The activation of the current key, on which the rotation schedule depends.
    package func newestActivation() async throws -> Date? {
        try await pool.withConnection { connection in
            try connection.queryOne("select max(activates_at) from signing_keys").flatMap {
                try $0.value(0, as: Date?.self)
            }
        }
    }

    private static func hold(_ connection: Connection) throws {
        try connection.execute("select pg_advisory_xact_lock(\(lock))")
    }

    /// A new key, as the database holds it.
    private struct Sealed {
        let id: String
        let sealed: [UInt8]
        let jwk: JSON
    }

    private static func seal(_ algorithm: TokenProfile.Algorithm, _ box: SealedBox) throws -> Sealed {
        let key = try algorithm.makeKey()
        let id = Base64URL.encode(RandomBytes.system(9))
        return Sealed(
            id: id, sealed: box.seal(key.pkcs8DER, purpose: purpose),
            jwk: key.publicKey.jwk(id: id, algorithm: algorithm.signature))
    }

    private static func insert(_ key: Sealed, _ connection: Connection, _ place: Place) throws {
        try connection.execute(
            """
            insert into signing_keys (id, algorithm, sealed, public_jwk, activates_at)
            values (\(key.id), \(place.algorithm.rawValue), \(key.sealed), \(JSONText(key.jwk.text)),
                    case when \(place.active) then now() end)
            """)
    }

    private static func key(_ row: Row, _ box: SealedBox) throws -> SigningKey {
        let id: String = try row.value(0)
        let privateKey = try PrivateKey(pkcs8DER: box.open(try row.value(5), purpose: purpose))
        let algorithm = try algorithm(row, 6)
        return SigningKey(
            id: id, publishedAt: try row.value(1), activatesAt: try row.value(2), retiresAt: try row.value(3),
            algorithm: algorithm, publicJWK: try JSON(parsing: try row.value(4, as: String.self)),
            publicKey: privateKey.publicKey,
            signer: JWTSigner(
                key: privateKey, keyID: id, algorithm: algorithm.signature, type: TokenIssuer.type))
    }

    private static func algorithm(_ row: Row, _ column: Int) throws -> TokenProfile.Algorithm {
        guard let algorithm = TokenProfile.Algorithm(rawValue: try row.value(column)) else {
            throw PostgresError.decoding(column: "algorithm")
        }
        return algorithm
    }
}

extension TokenProfile.Algorithm {
    fileprivate var signature: SignatureAlgorithm {
        switch self {
        case .es256: .ES256
        case .rs256: .RS256
        }
    }

    /// A new key; RSA takes some tenths of a second.
    fileprivate func makeKey() throws -> PrivateKey {
        switch self {
        case .es256: try PrivateKey.generateP256()
        case .rs256: try PrivateKey.generateRSA(bits: 2_048)
        }
    }
}
