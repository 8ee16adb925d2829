import Cryptography
import Foundation
import Postgres

/// A delivery leased to this server.
struct EventDelivery: Sendable {
    let number: Int
    let id: String
    /// Counts the leases, including this one: a lost lease settles nothing.
    let tries: Int
    let endpoint: UUID
    let url: String
    /// Newest first; empty if they can't be opened.
    let secrets: [EventSecret]
    let payload: String

    /// The result of an attempt.
    enum Outcome: Sendable, Equatable {
        case delivered(status: Int)
        case failed(status: Int?, error: String)
        /// Nothing was sent: not counted as an attempt.
        case postponed(error: String, seconds: Int)
        /// The endpoint refuses further events (410).
        case gone

        var isPostponed: Bool { if case .postponed = self { true } else { false } }
    }

    /// The target of the delivery.
    ///
    /// An endpoint with a new URL has a new failure count.
    struct Target: Sendable, Hashable {
        let endpoint: UUID
        let url: String
    }

    var target: Target { Target(endpoint: endpoint, url: url) }
}

/// Leases and settles deliveries (`Functions/events/`).
struct EventDeliveryStore: Sendable {
    let pool: ConnectionPool
    let box: SealedBox

    /// Concurrent deliveries per endpoint, over all servers.
    private static let each = 8
    /// Longer than an attempt; the deliveries of a dead server wait this long.
    private static let lease = 15
    /// The lifetime of a delivery in seconds (3 days): a service that broke on a Friday still gets its events on
    /// Monday.
    static let lifeSeconds: Int32 = 3 * 86_400
    /// The retention of settled deliveries in seconds (30 days), for viewing and replay.
    private static let keptSeconds: Int32 = 30 * 86_400

    /// - Parameter except: endpoints to skip, even with due deliveries.
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

    /// - Parameter pause: seconds until the next attempt.
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

    /// - Returns: the largest row count deleted from any table; less than the limit at the end.
    func sweep(limit: Int) async throws -> Int {
        try await pool.withConnection {
            try $0.queryOne("select sweep_events(\(Int32(limit)), \(Self.keptSeconds))")?.value(0) ?? 0
        }
    }
}
