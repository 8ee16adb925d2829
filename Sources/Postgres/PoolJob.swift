import Synchronization

/// A request in the pool, independent of its result type.
final class PoolJob: Sendable {
    let expires: MonotonicTime
    let submitted: MonotonicTime
    /// The time limit for using the connection.
    let timeout: Duration
    /// Its first statement, if known: it may be sent before the connection's thread wakes.
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

    /// Answers without running, or instead of a run without a waiting caller.
    func fail(_ error: PostgresError) {
        refusal(error)
    }
}

/// Delivers the answer; the first one counts, later ones are dropped.
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
        // The connection of an interrupted job is shut down; the reason is known here.
        switch result {
        case .failure(PostgresError.timedOut), .failure(PostgresError.connectionLost(maybeCommitted: false)):
            waiting?.resume(with: interruption?.error.map { .failure($0) } ?? result)
        default: waiting?.resume(with: result)
        }
    }
}
