import Cryptography
import Foundation
import JSON
import Logging
import Postgres

/// The outbox table (`Functions/delivery/`).
struct OutboxStore: Sendable {
    let pool: ConnectionPool
    let box: SealedBox
    let logger: Logger

    private struct Claim: Sendable {
        let id: UUID
        let tries: Int
        let message: ClaimedMessage?
    }

    /// Leases due messages.
    func claim(_ medium: Medium, atMost limit: Int) async throws -> [ClaimedMessage] {
        let now = ContinuousClock.now
        let claims = try await pool.query(
            """
            select id, tries, address, kind, language, sealed, detail::text, client_id
              from claim_outgoing(\(medium.rawValue), \(Int32(limit)), \(Int32(Lease.seconds)), \(Int32(MessageContent.usualLife)))
            """
        ) { try claim($0, medium, at: now) }
        for claim in claims where claim.message == nil {
            logger.error("a message of the outbox can't be read")
            await settle(claim.id, tries: claim.tries, .failed(reason: "unreadable"), retry: 900)
        }
        return claims.compactMap(\.message)
    }

    private func claim(_ row: Row, _ medium: Medium, at now: ContinuousClock.Instant) throws -> Claim {
        let (id, tries): (UUID, Int) = (try row.value(0), try row.value(1))
        let destination = Destination(medium, try row.value(2))
        guard let destination, let content = try content(row, id) else {
            return Claim(id: id, tries: tries, message: nil)
        }
        return Claim(
            id: id, tries: tries,
            message: ClaimedMessage(
                id: id, destination: destination, content: content, language: try row.value(4),
                client: try row.value(7), tries: tries, claimedAt: now))
    }

    private func content(_ row: Row, _ id: UUID) throws -> MessageContent? {
        if let sealed: [UInt8] = try row.value(5) { return box.openContent(sealed, for: id) }
        let detail = try row.value(6, as: String?.self).flatMap { try? JSON(parsing: $0).object }
        return MessageContent(kind: try row.value(3), detail: detail ?? [:])
    }

    /// Whether the user disabled a relay address; nil if the database is unavailable.
    func isForwardingOff(_ destination: Destination) async -> Bool? {
        let address = destination.text
        return try? await pool.withConnection { connection in
            try connection.queryOne("select is_forwarding_off(\(address))")?.value(0)
        }
    }

    /// Records the outcome of a lease.
    ///
    /// - Parameter retry: seconds until the next attempt, for a failed one.
    /// - Returns: false if the database is unavailable; the message is then sent a second time under the same id.
    @discardableResult
    func settle(_ id: UUID, tries: Int, _ attempt: Attempt, retry: Double) async -> Bool {
        let (state, provider, refusal): (String, String?, String?) =
            switch attempt {
            case .sent(let provider): ("sent", provider, nil)
            case .refused(let reason): ("refused", nil, reason)
            case .failed(let reason): ("waiting", nil, reason)
            }
        do {
            try await pool.execute(
                "select settle_outgoing(\(id), \(Int32(tries)), \(state), \(provider), \(refusal), \(retry))")
            return true
        } catch {
            return false
        }
    }
}
