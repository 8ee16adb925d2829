package import FoundationEssentials
import Synchronization
package import Traces

/// The slowest requests of each of the last minutes, in the memory of this server.
///
/// It answers why a request was slow without a statement and without a row.
package final class SlowRequests: Sendable {
    /// An answered request without anything of its content.
    package struct Entry: Sendable {
        package let at: Date
        /// The reference: 13 letters and digits.
        package let reference: String
        package let method: String
        package let route: String
        package let status: Int
        package let figures: RequestFigures
        package let traceID: TraceID
        /// Whether the collector has the trace.
        package let isSampled: Bool

        package init(
            at: Date, reference: String, method: String, route: String, status: Int, figures: RequestFigures,
            traceID: TraceID, isSampled: Bool
        ) {
            (self.at, self.reference, self.method, self.route) = (at, reference, method, route)
            (self.status, self.figures, self.traceID, self.isSampled) = (status, figures, traceID, isSampled)
        }
    }

    private struct Minute {
        let number: Int
        /// The slowest last.
        var entries: [Entry] = []
    }

    package static let perMinute = 20
    static let minutes = 60

    private let state = Mutex<[Minute]>([])
    /// A faster request of ``current`` minute needs no lock.
    private let bar = Atomic<Int>(0)
    private let current = Atomic<Int>(0)

    /// The name of this server.
    package let host: String
    private let viewer: String?

    /// - Parameter viewer: `TRACE_VIEWER_URL`.
    package init(host: String, viewer: String?) {
        (self.host, self.viewer) = (host, viewer)
    }

    /// The address of the request's trace in the viewer; nil without a viewer or a trace.
    package func traceAddress(_ entry: Entry) -> String? {
        guard entry.isSampled else { return nil }
        return viewer?.replacing(TracesConfiguration.placeholder, with: entry.traceID.text)
    }

    /// Whether a request that ends now would be kept.
    package func isWanted(_ total: Int, at date: Date = Date()) -> Bool {
        total > bar.load(ordering: .relaxed) || Self.number(date) != current.load(ordering: .relaxed)
    }

    package func add(_ entry: Entry) {
        let number = Self.number(entry.at)
        state.withLock { minutes in
            if minutes.last.map({ $0.number < number }) ?? true { begin(number, &minutes) }
            // A clock that was set back adds to the newest minute.
            let last = minutes.count - 1
            let place = minutes[last].entries.firstIndex { $0.figures.answering >= entry.figures.answering }
            minutes[last].entries.insert(entry, at: place ?? minutes[last].entries.count)
            if minutes[last].entries.count > Self.perMinute { minutes[last].entries.removeFirst() }
            let isFull = minutes[last].entries.count == Self.perMinute
            bar.store(isFull ? minutes[last].entries[0].figures.answering : 0, ordering: .relaxed)
            current.store(number, ordering: .relaxed)
        }
    }

    private func begin(_ number: Int, _ minutes: inout [Minute]) {
        minutes.append(Minute(number: number))
        minutes.removeAll { $0.number <= number - Self.minutes }
    }

    /// The slowest first.
    package func slowest(_ count: Int) -> [Entry] {
        let all = state.withLock { $0.flatMap(\.entries) }
        return Array(all.sorted { $0.figures.answering > $1.figures.answering }.prefix(count))
    }

    /// The request with this reference, if it was among the slowest of its minute.
    package func request(_ reference: String) -> Entry? {
        state.withLock { minutes in
            for minute in minutes.reversed() {
                if let entry = minute.entries.first(where: { $0.reference == reference }) { return entry }
            }
            return nil
        }
    }

    private static func number(_ date: Date) -> Int { Int(date.timeIntervalSince1970 / 60) }
}
