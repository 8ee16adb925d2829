import Foundation
import Postgres
import Sessions

/// The part of the audit log that users see.
struct ActivityStore: Sendable {
    private let pool: ConnectionPool

    init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Events, newest first, and the next cursor; nil at the end.
    struct Page: Sendable, Equatable {
        let events: [AccountEvent]
        let next: Int?
    }

    /// - Parameter place: the cursor of the page; nil for the newest.
    func page(of account: UUID, before place: Int?, limit: Int) async throws -> Page {
        let (actions, refusals) = (AccountEvent.shown.keys.sorted(), AccountEvent.shownRefusals.keys.sorted())
        return try await pool.withConnection { connection in
            // One row more than shown reveals whether another page follows.
            let rows = try connection.query(
                """
                select e.id, e.at, e.action, e.reason, e.actor_id is not null, e.session_id is not null, e.client_id, e.provider,
                       e.address, s.device_name, s.user_agent, e.outcome = 'refused',
                       array(select k #>> '{}' from jsonb_path_query(s.proofs, '$[*].kind') k)
                  from account_events(\(account), false, \(place), \(actions), \(refusals), false,
                                      \(Int32(limit + 1))) e
                  left join sessions s on s.id = e.session_id and s.account_id = e.account_id
                 order by e.id desc
                """)
            let events = try rows.prefix(limit).compactMap(Self.event)
            let next: Int? = rows.count > limit ? try rows[limit - 1].value(0) : nil
            return Page(events: events, next: next)
        }
    }

    private static func event(_ row: Row) throws -> AccountEvent? {
        let proofs: [String] = try row.value(12)
        return AccountEvent(
            at: try row.value(1), action: try row.value(2), reason: try row.value(3),
            isRefused: try row.value(11), hasActor: try row.value(4),
            hasSession: try row.value(5), clientID: try row.value(6), provider: try row.value(7),
            address: try row.value(8), deviceName: try row.value(9), userAgent: try row.value(10),
            proofs: proofs.compactMap(Proof.Kind.init(rawValue:)))
    }
}
