import Synchronization

/// A request on its way through the pool, whatever it gives back.
final class PoolJob: Sendable {
    let expires: MonotonicTime
    let submitted: MonotonicTime
    /// How long it may have the connection.
    let timeout: Duration
    /// What it begins with, where that is known beforehand: it may be sent before the connection's thread wakes.
    let statement: SQL?
    let interruption = Interruption()
    private let work: @Sendable (Connection) -> Void
    private let refusal: @Sendable (PostgresError) -> Void

    init<Value: Sendable>(
        _ answer: PoolAnswer<Value>, statement: SQL?, submitted: MonotonicTime, expires: MonotonicTime,
        timeout: Duration,
        body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.statement = statement
        self.submitted = submitted
        self.expires = expires
        self.timeout = timeout
        work = { connection in answer.resume(Result { try body(connection) }, interruption: connection.interruption) }
        refusal = { answer.resume(.failure($0), interruption: nil) }
    }

    func run(on connection: Connection) {
        connection.interruption = interruption
        work(connection)
    }

    /// Answers without running, or instead of a run that nobody waits for any more.
    func fail(_ error: PostgresError) {
        refusal(error)
    }
}

/// Where the answer goes; the first one counts, later ones are dropped.
final class PoolAnswer<Value: Sendable>: Sendable {
    private let continuation = Mutex<CheckedContinuation<Value, any Error>?>(nil)

    func awaited(by continuation: CheckedContinuation<Value, any Error>) {
        self.continuation.withLock { $0 = continuation }
    }

    func resume(_ result: Result<Value, any Error>, interruption: Interruption?) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        // The connection of a job that was told to stop is broken off; why is known here.
        switch result {
        case .failure(PostgresError.timedOut), .failure(PostgresError.connectionLost(maybeCommitted: false)):
            waiting?.resume(with: interruption?.error.map { .failure($0) } ?? result)
        default: waiting?.resume(with: result)
        }
    }
}
