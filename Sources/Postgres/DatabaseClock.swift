package import FoundationEssentials
import Metrics
import Synchronization

/// The clock by which everything stored is dated: the database's, as this server knows it.
///
/// The server's own clock is corrected by what ``compare(with:)`` last found, so that servers whose clocks differ store times of
/// one clock. Before the first comparison it is the server's own.
package final class DatabaseClock: Sendable {
    /// Seconds by which the two clocks may differ before it is said.
    package static let tolerance = 5.0

    private static let offsets = Gauge(label: "clock_offset_seconds")

    /// Seconds by which they may differ before the server refuses to serve: it can't know which of them is wrong.
    package let limit: Double
    private let system: @Sendable () -> Date
    /// Seconds that the database's clock is ahead, as the bits of a double.
    private let offsetBits = Atomic<UInt64>(0)

    package init(limit: Double = .infinity, system: @escaping @Sendable () -> Date = { Date() }) {
        (self.limit, self.system) = (limit, system)
    }

    /// Seconds that the database's clock is ahead of this server's.
    package var offset: Double { Double(bitPattern: offsetBits.load(ordering: .relaxed)) }

    package var now: Date { system().addingTimeInterval(offset) }

    /// What the database's clock shows now, for a command that asks once.
    ///
    /// - Throws: a ``PostgresError``.
    package static func now(of pool: ConnectionPool) async throws -> Date {
        let clock = DatabaseClock()
        try await clock.compare(with: pool)
        return clock.now
    }

    /// Whether the clocks agree well enough to serve.
    package var isSound: Bool { abs(offset) <= limit }

    /// Asks the database for its time, several times, and believes the quickest answer.
    ///
    /// - Returns: the difference in seconds; a smaller one than the answer's own uncertainty counts as none.
    /// - Throws: a ``PostgresError``; the last known difference stays.
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

    /// Notes a difference in seconds.
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
