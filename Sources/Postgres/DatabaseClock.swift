package import FoundationEssentials
import Metrics
import Synchronization

/// The database's clock, to which all stored times refer.
///
/// It is this server's clock, corrected by the difference that ``compare(with:)`` last measured. So servers with different
/// clocks store times of one clock. Before the first measurement the correction is zero.
package final class DatabaseClock: Sendable {
    /// The difference in seconds above which it is logged.
    package static let tolerance = 5.0

    private static let offsets = Gauge(label: "clock_offset_seconds")

    /// The difference in seconds above which the server refuses requests, because either clock may be wrong.
    package let limit: Double
    private let system: @Sendable () -> Date
    /// ``offset`` as the bits of a double.
    private let offsetBits = Atomic<UInt64>(0)

    package init(limit: Double = .infinity, system: @escaping @Sendable () -> Date = { Date() }) {
        (self.limit, self.system) = (limit, system)
    }

    /// Seconds that the database's clock is ahead of this server's.
    package var offset: Double { Double(bitPattern: offsetBits.load(ordering: .relaxed)) }

    package var now: Date { system().addingTimeInterval(offset) }

    /// The database's time, for a command that needs it once.
    ///
    /// - Throws: a ``PostgresError``.
    package static func now(of pool: ConnectionPool) async throws -> Date {
        let clock = DatabaseClock()
        try await clock.compare(with: pool)
        return clock.now
    }

    /// Whether the difference allows to answer requests.
    package var isSound: Bool { abs(offset) <= limit }

    /// Reads the database's time several times and uses the fastest answer.
    ///
    /// - Returns: the difference in seconds; zero if it is within the uncertainty of the answer.
    /// - Throws: a ``PostgresError``; the previous difference stays in use.
    @discardableResult
    package func compare(with pool: ConnectionPool) async throws -> Double {
        var best: Reading?
        for _ in 0..<3 {
            let reading = try await pool.withConnection { [system] connection in try Self.read(connection, system) }
            if let known = best, known.uncertainty <= reading.uncertainty { continue }
            best = reading
        }
        note(best?.offset ?? 0)
        return offset
    }

    /// Stores a difference in seconds.
    package func note(_ offset: Double) {
        offsetBits.store(offset.bitPattern, ordering: .relaxed)
        Self.offsets.record(offset)
    }

    private struct Reading: Sendable {
        let difference: Double
        let uncertainty: Double

        var offset: Double { abs(difference) <= uncertainty ? 0 : difference }
    }

    private static func read(_ connection: Connection, _ system: () -> Date) throws -> Reading {
        let before = system()
        let start = ContinuousClock.now
        let theirs = try connection.queryOne("select clock_timestamp()")?.value(0, as: Date.self)
        let took = (ContinuousClock.now - start) / .seconds(1)
        let middle = before.addingTimeInterval(took / 2)
        return Reading(difference: (theirs ?? middle).timeIntervalSince(middle), uncertainty: took / 2)
    }
}
