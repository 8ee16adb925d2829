package import Cryptography
package import Logging
package import Postgres
import Synchronization

/// The secret of answers that are a keyed function of a typed name (`name_secret`).
///
/// It outlives the master keys: an invented value that changed with them would differ from a stored one.
package final class NameSecret: Sendable {
    private let pool: ConnectionPool
    private let box: SealedBox
    private let logger: Logger
    private let held = Mutex<[UInt8]?>(nil)
    private static let purpose = "name secret"

    package init(pool: ConnectionPool, keys: MasterKeys, logger: Logger) {
        (self.pool, box, self.logger) = (pool, SealedBox(keys), logger)
    }

    /// The bytes, read from the database once.
    package func key() async throws -> [UInt8] {
        if let known = held.withLock({ $0 }) { return known }
        let (box, logger) = (box, logger)
        let found = try await pool.withTransaction { connection in
            try connection.execute(
                "insert into name_secret (sealed) values (\(box.seal(RandomBytes.system(32), purpose: Self.purpose))) on conflict do nothing"
            )
            return try Self.read(connection, box, logger)
        }
        held.withLock { $0 = found }
        return found
    }

    /// Seals the secret again where its master key is no longer the newest, so that the old key can be removed.
    private static func read(_ connection: Connection, _ box: SealedBox, _ logger: Logger) throws -> [UInt8] {
        let sealed: [UInt8] = try connection.row("select sealed from name_secret for update").value(0)
        if sealed.starts(with: box.header) { return try box.open(sealed, purpose: purpose) }
        let opened = try? box.open(sealed, purpose: purpose)
        if opened == nil {
            logger.error(
                "the secret of names can't be opened: a new one replaces it, and SRP works again after a plain sign-in")
        }
        let secret = opened ?? RandomBytes.system(32)
        try connection.execute("update name_secret set sealed = \(box.seal(secret, purpose: purpose))")
        return secret
    }

    /// A code over a name, for one purpose.
    package func code(_ purpose: String, _ text: String) async throws -> [UInt8] {
        HMACSHA256.code(Array("\(purpose)\0\(text)".utf8), key: try await key())
    }
}
