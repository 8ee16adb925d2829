import Accounts
import Foundation
package import Logging
import Messages
import Metrics
package import Postgres
import ServiceLifecycle
package import Sessions
import Vocabulary

/// Deletes expired rows and due accounts, rotates the signing key on schedule, and watches the clock.
package struct Housekeeping: Service {
    private let pool: ConnectionPool
    private let keyStore: SigningKeyStore
    /// In days; 0 leaves the rotation to the administrator.
    private let rotationDays: Int
    /// Seconds a retired key stays public.
    private let overlap: Int
    /// Days without use after which a guest is deleted; 0: never.
    private let guestDays: Int
    /// The usable sign-in methods.
    private let signInMethods: [String]
    private let clock: DatabaseClock
    private let logger: Logger

    private static let interval = Duration.seconds(60)
    private static let batch = 5_000
    /// Accounts deleted in one transaction, each with its sessions, messages and flows.
    private static let deletions = 20
    /// A quarter of the guests that one run reads.
    private static let guests = 1_000
    private static let clockJumps = Counter(label: "clock_jumps_total")

    package init(
        pool: ConnectionPool, keyStore: SigningKeyStore, rotationDays: Int, overlap: Int, guestDays: Int = 0,
        signInMethods: [String] = [], clock: DatabaseClock = DatabaseClock(), logger: Logger
    ) {
        (self.pool, self.keyStore, self.rotationDays) = (pool, keyStore, rotationDays)
        self.guestDays = guestDays
        (self.overlap, self.signInMethods, self.clock, self.logger) = (overlap, signInMethods, clock, logger)
    }

    package func run() async throws {
        // Prometheus sees an increase only from a value before it.
        Self.clockJumps.increment(by: 0)
        var clock = ClockWatch(at: Date(), .now)
        try await repeatUntilShutdown(every: Self.interval) {
            if let seconds = clock.jump(at: Date(), .now) {
                Self.clockJumps.increment()
                logger.error("the system clock was set", metadata: ["seconds": "\(Int(seconds))"])
            }
            await keepHouse()
        }
    }

    /// Each job runs separately, so that a failing one does not prevent the others.
    func keepHouse() async {
        await attempt("what has run out could not be deleted") { while try await sweep() >= Self.batch {} }
        await attempt("the signing key could not be rotated on schedule") { try await rotateWhenDue() }
        await attempt("unused guests could not be marked for deletion") { try await sweepGuests() }
        await attempt("accounts whose time has come could not be deleted") { try await deleteAccounts() }
        await attempt("second factors whose time has come could not be removed") { try await removeFactors() }
    }

    private func attempt(_ failure: Logger.Message, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch let error as PostgresError where error.state == nil {
            logger.debug("housekeeping waits for the database", metadata: ["error": "\(error)"])
        } catch {
            let shown = (error as? PostgresError)?.diagnostic ?? "\(error)"
            logger.error(failure, metadata: ["error": "\(shown)"])
        }
    }

    func sweep() async throws -> Int {
        try await pool.withConnection { connection in
            let batch = Int32(Self.batch)
            let row = try connection.queryOne(
                """
                select sweep_expired(\(batch), \(Retention.spent), \(Retention.deviceRequests), \(Retention.throttles), \(Retention.sessions))
                       + sweep_outbox(\(batch), \(Int32(MessageContent.usualLife)), \(Retention.messages))
                       + sweep_provider_records(\(batch), \(Retention.providerRecords)) + sweep_changes(\(batch), \(Retention.changes))
                """)
            return try row?.value(0, as: Int.self) ?? 0
        }
    }

    /// Makes unused guests due; the deletion of accounts follows.
    private func sweepGuests() async throws {
        guard guestDays > 0 else { return }
        let days = Int32(guestDays)
        let due = try await pool.withConnection { connection in
            try connection.queryOne("select sweep_guests(\(Int32(Self.guests)), \(days), 'housekeeping')")?
                .value(0, as: Int32.self) ?? 0
        }
        if due > 0 { logger.notice("unused guests are due for deletion", metadata: ["count": "\(due)"]) }
    }

    private func deleteAccounts() async throws {
        let store = DeletionStore(pool: pool)
        var deleted = 0
        repeat {
            deleted = try await store.sweep(limit: Self.deletions, requestID: "housekeeping")
            if deleted > 0 { logger.notice("accounts were deleted", metadata: ["count": "\(deleted)"]) }
        } while deleted >= Self.deletions
    }

    private func removeFactors() async throws {
        let (batch, signInMethods) = (Int32(Self.deletions), signInMethods)
        let removed = try await pool.withConnection { connection in
            try connection.queryOne(
                "select sweep_factor_removals(\(batch), \(signInMethods), 'housekeeping', \(DeletionStore.retrySeconds))"
            )?.value(0, as: Int32.self) ?? 0
        }
        if removed > 0 { logger.notice("second factors were removed", metadata: ["count": "\(removed)"]) }
    }

    private func rotateWhenDue() async throws {
        guard rotationDays > 0, let newest = try await keyStore.newestActivation() else { return }
        guard newest.addingTimeInterval(Double(rotationDays) * 86_400) < clock.now else { return }
        _ = try await keyStore.rotate(
            lead: SigningKeys.publicationLead, overlap: overlap, reason: "schedule", requestID: "housekeeping")
        logger.notice("the signing key was rotated on schedule")
    }
}
