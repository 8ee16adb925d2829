import Cryptography
import Foundation
import Postgres

/// One delivery that this server, and no other, may try until its lease ends.
struct EventDelivery: Sendable {
    let number: Int
    let id: String
    /// Counts the claims, this one included: a claim that was lost settles nothing.
    let tries: Int
    let endpoint: UUID
    let url: String
    /// The newest first; none if they can't be opened.
    let secrets: [EventSecret]
    let payload: String

    /// What became of a try.
    enum Outcome: Sendable, Equatable {
        case delivered(status: Int)
        case failed(status: Int?, error: String)
        /// Nothing was sent: it doesn't count.
        case postponed(error: String, seconds: Int)
        /// The endpoint wants no more events (410).
        case gone

        var isPostponed: Bool { if case .postponed = self { true } else { false } }
    }

    /// Where it goes.
    ///
    /// An endpoint with a new address is another one to whoever counts its failures.
    struct Target: Sendable, Hashable {
        let endpoint: UUID
        let url: String
    }

    var target: Target { Target(endpoint: endpoint, url: url) }
}

/// Claims and settles deliveries (`Functions/events/`).
struct EventDeliveryStore: Sendable {
    let pool: ConnectionPool
    let box: SealedBox

    /// Deliveries of one endpoint that are under way at a time, over all servers.
    private static let each = 8
    /// Longer than a try takes; what a server that died had claimed keeps others waiting as long.
    private static let lease = 15
    /// How long a delivery is tried before it is given up, in seconds (3 days): a service that broke on a Friday gets what
    /// happened.
    static let lifeSeconds: Int32 = 3 * 86_400
    /// How long settled deliveries can be looked at and replayed, in seconds (30 days).
    private static let keptSeconds: Int32 = 30 * 86_400

    /// - Parameter except: what isn't to be tried now, however much of it is due.
    func claim(except: [EventDelivery.Target] = []) async throws -> [EventDelivery] {
        let (endpoints, urls) = (except.map(\.endpoint), except.map(\.url))
        return try await pool.withConnection { connection in
            try connection.query(
                """
                select number, id, tries, endpoint_id, url, secret, former_secret, payload
                  from claim_events(\(Int32(Self.each)), \(Int32(Self.lease)), \(endpoints), \(urls))
                """
            ).map(delivery)
        }
    }

    private func delivery(_ row: Row) throws -> EventDelivery {
        let endpoint: UUID = try row.value(3)
        let sealed = [try row.value(5, as: [UInt8]?.self), try row.value(6, as: [UInt8]?.self)].compactMap(\.self)
        return EventDelivery(
            number: try row.value(0), id: try row.value(1), tries: try row.value(2), endpoint: endpoint,
            url: try row.value(4), secrets: sealed.compactMap { EventSecret(sealed: $0, for: endpoint, box) },
            payload: try row.value(7))
    }

    /// - Parameter pause: seconds until the next try.
    func settle(_ delivery: EventDelivery, _ outcome: EventDelivery.Outcome, pause: Double) async throws {
        let (word, status, error): (String, Int?, String?) =
            switch outcome {
            case .delivered(let status): ("delivered", status, nil)
            case .failed(let status, let error): ("failed", status, error)
            case .postponed(let error, _): ("postponed", nil, error)
            case .gone: ("gone", 410, "gone")
            }
        _ = try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select settle_event(\(delivery.number), \(Int32(delivery.tries)), \(word), \(status.map(Int32.init)), \(error), \(pause))
                """)
        }
    }

    /// - Returns: the number of rows, of the kind of which there were most; less than the limit where no more are left.
    func sweep(limit: Int) async throws -> Int {
        try await pool.withConnection {
            try $0.queryOne("select sweep_events(\(Int32(limit)), \(Self.keptSeconds))")?.value(0) ?? 0
        }
    }
}
