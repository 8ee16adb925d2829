package import Cryptography
package import Logging
package import Postgres
import ServiceLifecycle
import Sessions

/// What is done with each row of the log when it is sealed, in the same transaction: once for each row, also after a crash.
///
/// Rows come in the chain's order, seconds after they were written. Those from before the chain was begun come too, long
/// after: look at `at`. What throws undoes the batch, which comes again a second later; so throw only for what passes.
package protocol AuditFollower: Sendable {
    func follow(_ events: [SealedEvent], on connection: Connection) throws
}

/// Appends new rows of the log to the chain: one server at a time, whichever has the lock, so that no statement of a
/// request waits for it.
package struct AuditSealer: Service {
    private let pool: ConnectionPool
    private let chain: AuditChain
    private let followers: [any AuditFollower]
    private let logger: Logger

    private static let interval = Duration.seconds(1)
    /// Every so many times, late rows are looked for in the whole of the last hour.
    private static let farLook = 60
    private static let batch = 1_000

    package init(pool: ConnectionPool, keys: MasterKeys, followers: [any AuditFollower] = [], logger: Logger) {
        (self.pool, chain, self.followers, self.logger) = (pool, AuditChain(keys: keys), followers, logger)
    }

    package func run() async throws {
        var count = 0
        var isFailing = false
        try await repeatUntilShutdown(every: Self.interval) {
            do {
                try await sealAll(far: count % Self.farLook == 0)
                isFailing = false
            } catch let error as PostgresError where error.state == nil {
                logger.debug("the audit chain waits for the database")
            } catch {
                // Once, not every second.
                if !isFailing { logger.error("audit rows could not be sealed", metadata: ["error": "\(error)"]) }
                isFailing = true
            }
            count += 1
        }
    }

    /// Seals what there is.
    ///
    /// - Parameter far: also rows that were committed up to an hour late.
    package func sealAll(far: Bool) async throws {
        var looksFar = far
        while try await seal(far: looksFar) >= Self.batch {
            // The rows from before the chain may be millions.
            if Task.isShuttingDownGracefully { return }
            looksFar = false
        }
    }

    /// Seals one batch; nothing while another server does.
    private func seal(far: Bool) async throws -> Int {
        try await pool.withTransaction { [chain, followers] connection in
            guard try ChainStore.isOurs(connection), let head = try ChainStore.head(connection) else { return 0 }
            let late = try ChainStore.late(before: head, far: far, limit: Self.batch, connection)
            let events = try late + ChainStore.new(after: head, limit: Self.batch, connection)
            guard !events.isEmpty else { return 0 }
            var (links, digest): ([ChainLink], [UInt8]) = ([], head.digest)
            for (index, event) in events.enumerated() {
                let link = chain.link(event, position: head.position + index + 1, after: digest)
                links.append(link)
                digest = link.digest
            }
            try ChainStore.insert(links, connection)
            let sealed = zip(links, events).map { SealedEvent(position: $0.position, event: $1) }
            for follower in followers { try follower.follow(sealed, on: connection) }
            return events.count
        }
    }
}
