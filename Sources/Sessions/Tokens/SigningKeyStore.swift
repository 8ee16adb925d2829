package import Cryptography
package import Foundation
import JSON
package import Postgres

/// Signing keys in the database, their private halves sealed with the master key.
package struct SigningKeyStore: Sendable {
    private let pool: ConnectionPool
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
        return try await pool.withConnection { connection in
            try connection.query(
                """
                select id, published_at, activates_at, retires_at, public_jwk::text, sealed from signing_keys
                 where retires_at is null or retires_at > now()
                """
            ).map { row in try Self.key(row, box) }
        }
    }

    /// Creates the first key and the next one if there are none.
    package func ensureKeys() async throws {
        let box = box
        try await pool.withTransaction { connection in
            try Self.hold(connection)
            let states = try connection.query("select activates_at is null from signing_keys where retires_at is null")
                .map { try $0.value(0, as: Bool.self) }
            if !states.contains(false) { try Self.insert(connection, box, active: true) }
            if !states.contains(true) { try Self.insert(connection, box, active: false) }
        }
    }

    /// Activates the next key, retires the current one, and publishes another next key.
    ///
    /// - Parameters:
    ///   - lead: seconds between a key's publication and its activation; verifiers cache a key set that long.
    ///   - overlap: seconds that the old key stays public, at least the lifetime of an access token; nil removes it at
    ///     once, and with it every token that it signed.
    /// - Returns: the activation of the next key.
    package func rotate(lead: Int, overlap: Int?, reason: String, requestID: String) async throws -> Date {
        let box = box
        return try await pool.withTransaction { connection in
            try Self.hold(connection)
            let row = try connection.queryOne(
                """
                update signing_keys set activates_at = greatest(now() + interval '2 seconds', published_at + make_interval(secs => \(lead)))
                 where activates_at is null returning id, activates_at
                """)
            guard let row else { throw Rejection.notFound }
            let promoted: String = try row.value(0)
            let moment: Date = try row.value(1)
            try connection.execute(
                """
                update signing_keys set retires_at = coalesce(\(moment) + make_interval(secs => \(overlap)), now())
                 where activates_at is not null and id <> \(promoted)
                   and (retires_at is null or (\(overlap == nil) and retires_at > now()))
                """)
            try Self.insert(connection, box, active: false)
            try connection.execute(
                """
                insert into audit_inbox (action, outcome, reason, request_id, detail)
                values ('signing_key_rotated', 'done', \(reason), \(requestID), jsonb_build_object('key', \(promoted)::text))
                """)
            return moment
        }
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

    private static func insert(_ connection: Connection, _ box: SealedBox, active: Bool) throws {
        let key = try PrivateKey.generateP256()
        let id = Base64URL.encode(RandomBytes.system(9))
        let jwk = key.publicKey.jwk(id: id, algorithm: .ES256)
        try connection.execute(
            """
            insert into signing_keys (id, algorithm, sealed, public_jwk, activates_at)
            values (\(id), 'ES256', \(box.seal(key.pkcs8DER, purpose: purpose)), \(JSONText(jwk.text)),
                    case when \(active) then now() end)
            """)
    }

    private static func key(_ row: Row, _ box: SealedBox) throws -> SigningKey {
        let id: String = try row.value(0)
        let privateKey = try PrivateKey(pkcs8DER: box.open(try row.value(5), purpose: purpose))
        return SigningKey(
            id: id, publishedAt: try row.value(1), activatesAt: try row.value(2), retiresAt: try row.value(3),
            algorithm: .es256, publicJWK: try JSON(parsing: try row.value(4, as: String.self)),
            publicKey: privateKey.publicKey,
            signer: JWTSigner(key: privateKey, keyID: id, algorithm: .ES256, type: TokenIssuer.type))
    }
}
