import Metrics

/// The state of the pool, and its counters since the start.
package struct PoolStatistics: Sendable, Equatable {
    package struct Counts: Sendable, Equatable {
        /// Attempts to connect since the start, and those that succeeded.
        package var attempts = 0
        package var connected = 0
        /// Connections that broke during a job.
        package var lost = 0
        /// Jobs that ran, with or without success.
        package var finished = 0
        /// Statements sent, without preparations.
        package var statements = 0
    }

    package let connections: Int
    package let busy: Int
    package let queued: Int
    package let counts: Counts
}

/// The pool's metrics, created once.
struct PoolMetrics: Sendable {
    private let wait = Timer(label: "postgres_wait")
    private let work = Timer(label: "postgres_work")
    private let statements = Counter(label: "postgres_statements")
    private let unavailable = Counter(label: "postgres_refused", dimensions: [("reason", "unavailable")])
    private let overloaded = Counter(label: "postgres_refused", dimensions: [("reason", "overloaded")])
    private let timedOut = Counter(label: "postgres_refused", dimensions: [("reason", "timed_out")])
    private let connections = Gauge(label: "postgres_connections")
    private let busy = Gauge(label: "postgres_connections_busy")
    private let queued = Gauge(label: "postgres_queued")

    func finished(_ job: PoolJob, start: MonotonicTime, statements count: Int) {
        wait.recordNanoseconds((start - job.submitted).nanoseconds)
        work.recordNanoseconds((MonotonicTime.now - start).nanoseconds)
        statements.increment(by: count)
    }

    func count(_ refusal: PostgresError) {
        switch refusal {
        case .unavailable: unavailable.increment()
        case .overloaded: overloaded.increment()
        case .timedOut: timedOut.increment()
        default: break
        }
    }

    func state(live: Int, busy busyNow: Int, queued queuedNow: Int) {
        connections.record(live)
        busy.record(busyNow)
        queued.record(queuedNow)
    }
}
