package import Cryptography
package import Logging
package import Postgres
import ServiceLifecycle
import Vocabulary

/// Processes each event when it is sealed, in the same transaction: exactly once, even after a crash.
///
/// Events arrive in the chain's order, seconds after they were written. An error rolls back the batch, which is retried
/// a second later; so throw only for temporary failures.
package protocol AuditFollower: Sendable {
    func follow(_ events: [SealedEvent], on connection: Connection) throws
}

/// Moves events from the inbox to their months and appends them to the chain.
///
/// One server at a time holds the lock, so that no request waits for it.
package struct AuditSealer: Service {
    private let pool: ConnectionPool
    private let chain: AuditChain
    private let followers: [any AuditFollower]
    private let logger: Logger

    private static let interval = Duration.seconds(1)
    private static let batch = 1_000

    package init(pool: ConnectionPool, keys: MasterKeys, followers: [any AuditFollower] = [], logger: Logger) {
        (self.pool, chain, self.followers, self.logger) = (pool, AuditChain(keys: keys), followers, logger)
    }

    package func run() async throws {
        var isFailing = false
        try await repeatUntilShutdown(every: Self.interval) {
            do {
                try await sealAll()
                isFailing = false
            } catch let error as PostgresError where error.state == nil {
                logger.debug("the audit chain waits for the database")
            } catch {
                // Logged once, not every second.
                if !isFailing { logger.error("audit events could not be sealed", metadata: ["error": "\(error)"]) }
                isFailing = true
            }
        }
    }

    /// Seals the whole inbox, from start to end.
    package func sealAll() async throws {
        var place: String? = ChainStore.firstPlace
        while let next = place, !Task.isShuttingDownGracefully {
            place = try await sealBatch(after: next)
        }
    }

    /// Seals one batch; does nothing while another server seals.
    ///
    /// - Returns: the position after which the next batch starts; nil at the end.
    private func sealBatch(after place: String) async throws -> String? {
        try await pool.withTransaction { [chain, followers] connection in
            guard try ChainStore.isOurs(connection), var head = try ChainStore.head(connection) else { return nil }
            let (waiting, last) = try ChainStore.waiting(after: place, limit: Self.batch, connection)
            for events in Self.byMonth(waiting) {
                let link = chain.link(events.map(\.event), from: head.position + 1, after: head.digest)
                try ChainStore.seal(link, of: events, connection)
                let sealed = zip(link.positions, events).map { SealedEvent(position: $0, event: $1.event) }
                for follower in followers { try follower.follow(sealed, on: connection) }
                head = ChainHead(position: link.position, digest: link.digest)
            }
            return waiting.count < Self.batch ? nil : last
        }
    }

    /// Runs of events of one month: a link is dropped with its month.
    private static func byMonth(_ waiting: [WaitingEvent]) -> [[WaitingEvent]] {
        var runs: [[WaitingEvent]] = []
        for event in waiting {
            if let last = runs.last?.last, AuditMonth(of: last.event.at) == AuditMonth(of: event.event.at) {
                runs[runs.count - 1].append(event)
            } else {
                runs.append([event])
            }
        }
        return runs
    }
}
