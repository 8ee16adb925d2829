import Logging
package import Postgres
import Synchronization

/// Notes the last use of each access key, at most once a minute for each server.
package final class AccessKeyUses: Sendable {
    private static let pause = Duration.seconds(60)

    private let pool: ConnectionPool
    private let noted = Mutex<[String: ContinuousClock.Instant]>([:])

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// A failed note does not refuse the call, because a call of the next minute notes the use again.
    package func note(_ key: AccessKey) async {
        let (id, now) = (key.id, ContinuousClock.now)
        let isDue = noted.withLock { noted in
            if let last = noted[id], now - last < Self.pause { return false }
            noted[id] = now
            return true
        }
        guard isDue else { return }
        _ = try? await pool.withConnection { try $0.queryOne("select note_access_key_use(\(id))") }
    }
}
