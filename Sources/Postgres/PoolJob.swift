import Synchronization
import Traces

/// A job of the pool, independent of its result type.
final class PoolJob: Sendable {
    let expires: MonotonicTime
    let submitted: MonotonicTime
    /// The time limit from the moment it has a connection.
    let timeout: Duration
    /// The job's only statement, if it has just one: it may be sent without waking the connection's thread.
    let statement: SQL?
    let interruption = Interruption()
    private let tracing: StatementTracing?
    private let work: @Sendable (Connection) -> Void
    private let refusal: @Sendable (PostgresError) -> Void

    /// - Parameter tracing: what the job's request counts; nil outside of requests.
    init<Value: Sendable>(
        _ answer: PoolAnswer<Value>, statement: SQL?, submitted: MonotonicTime, expires: MonotonicTime,
        timeout: Duration, tracing: StatementTracing? = nil,
        body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.statement = statement
        self.submitted = submitted
        self.expires = expires
        self.timeout = timeout
        self.tracing = tracing
        let isSingle = statement != nil
        work = { connection in
            let before = connection.statementsSent
            let result = Result { try body(connection) }
            // Counted before the answer, because the request may end with it. A single statement may be sent already.
            let sent = connection.statementsSent - before
            tracing?.trace.add(statements: isSingle ? max(1, sent) : sent)
            answer.resume(result, interruption: connection.interruption)
        }
        refusal = { answer.resume(.failure($0), interruption: nil) }
    }

    func run(on connection: Connection) {
        connection.interruption = interruption
        connection.tracing = statement == nil ? tracing : nil
        work(connection)
    }

    /// Answers with an error; the result of a running body is dropped.
    func fail(_ error: PostgresError) {
        refusal(error)
    }
}

/// Resumes the waiting task with the first answer and drops later ones.
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
        // The connection of an interrupted job was broken off: report the interruption instead of the loss.
        switch result {
        case .failure(PostgresError.timedOut), .failure(PostgresError.connectionLost(maybeCommitted: false)):
            waiting?.resume(with: interruption?.error.map { .failure($0) } ?? result)
        default: waiting?.resume(with: result)
        }
    }
}
