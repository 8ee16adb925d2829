/// An error of the database or the pool.
///
/// The description contains no SQL text, values or addresses, so it may be logged anywhere. ``diagnostic`` has more for
/// operators.
package enum PostgresError: Error, Equatable, Sendable {
    /// No connection is up: nothing was sent.
    ///
    /// `retryAfter` is the time until the next attempt, in whole seconds, at least 1.
    case unavailable(retryAfter: Int)
    /// The queue is full: nothing was sent.
    case overloaded
    /// No connection became free in time, or the server ended a slow statement, which changed nothing.
    case timedOut
    /// The calling task was cancelled; its work changed nothing.
    case cancelled
    /// The server refused a statement.
    ///
    /// `message` is the first line of the server's message; it isn't part of the description.
    case statement(SQLState, constraint: String?, message: String)
    /// A column has another type, is NULL, or does not exist.
    case decoding(column: String)
    /// The connection broke, or was given up because the server did not answer or accepted no changes.
    ///
    /// With `maybeCommitted` false, nothing was committed. With true, the outcome is unknown, also if the commit may be
    /// missing on a synchronous standby.
    case connectionLost(maybeCommitted: Bool)
    /// The pool has been shut down.
    case closed
    /// The connection string is invalid.
    ///
    /// The error does not quote it, because it may hold a password.
    case misconfigured
    case migration(MigrationProblem)
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .unavailable: "the database can't be reached"
        case .overloaded: "too many requests wait for the database"
        case .timedOut: "the database took too long"
        case .cancelled: "the request to the database was cancelled"
        case .statement(let state, let constraint, _):
            "the database refused a statement (\(state.rawValue)" + (constraint.map { ", constraint \($0)" } ?? "")
                + ")"
        case .decoding(let column): "column \(column) doesn't hold what was expected"
        case .connectionLost(let maybe):
            "the connection to the database broke" + (maybe ? "; what was being done may have been committed" : "")
        case .closed: "the connection pool is closed"
        case .misconfigured: "the connection string of the database can't be read"
        case .migration(let problem): problem.description
        }
    }

    package var debugDescription: String { description }

    /// For logs: the description, and the server's message if there is one.
    ///
    /// DETAIL, HINT and CONTEXT are left out because they quote values; so are messages of data exceptions (class 22).
    package var diagnostic: String {
        switch self {
        case .statement(_, _, let message) where !message.isEmpty: "\(description): \(message)"
        case .migration(.failed(_, _, let message)) where !message.isEmpty: "\(description): \(message)"
        default: description
        }
    }

    /// The code of an error from the server.
    package var state: SQLState? {
        if case .statement(let state, _, _) = self { state } else { nil }
    }

    /// Whether the connection failed, so that the server may have given a reason.
    package var isWithoutConnection: Bool {
        if case .unavailable = self { true } else { false }
    }

    /// Whether a concurrent transaction prevented the statement.
    package var isContention: Bool {
        state.map { ["40", "55"].contains($0.family) } ?? false
    }

    /// Whether the server failed for a reason of its own, such as a full disk, so that the statement may succeed later.
    package var mayPass: Bool {
        // Conflicts, insufficient resources, object in use, operator intervention, system error.
        state.map { ["40", "53", "55", "57", "58"].contains($0.family) } ?? false
    }

    /// Whether a right, a table or a function is missing.
    package var namesWhatIsMissing: Bool {
        state.map { [.insufficientPrivilege, .undefinedTable, .undefinedFunction].contains($0) } ?? false
    }

    /// Whether the same work may succeed when it is repeated; the first attempt changed nothing.
    package var isRepeatable: Bool {
        switch self {
        case .statement(.serializationFailure, _, _), .statement(.deadlockDetected, _, _): true
        case .connectionLost(let maybeCommitted): !maybeCommitted
        default: false
        }
    }
}
