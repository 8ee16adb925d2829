/// The errors of database access.
///
/// The description contains no SQL text, values or addresses, so it may be logged anywhere. ``diagnostic`` has more
/// details for administrators.
package enum PostgresError: Error, Equatable, Sendable {
    /// No connection is up: nothing was sent.
    ///
    /// `retryAfter` is the time until the next attempt, in whole seconds, at least 1.
    case unavailable(retryAfter: Int)
    /// The queue is full: nothing was sent.
    case overloaded
    /// No connection became free in time, or the server ended a slow statement.
    ///
    /// The statement left no change.
    case timedOut
    /// The calling task was cancelled.
    ///
    /// Its work left no change.
    case cancelled
    /// The server refused a statement.
    ///
    /// `message` is the first line of the server's message; it isn't part of the description.
    case statement(SQLState, constraint: String?, message: String)
    /// A column can't be decoded: wrong type, NULL, or no column of that name.
    case decoding(column: String)
    /// The connection broke, or was abandoned because the server didn't answer or is read-only.
    ///
    /// `maybeCommitted` false: no change was committed. True: unknown, including commits that the synchronous standby
    /// may lack.
    case connectionLost(maybeCommitted: Bool)
    /// The pool has been shut down.
    case closed
    /// The connection string is invalid.
    ///
    /// It isn't repeated here because it may contain a password.
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

    /// For logs: the description and, if available, the server's message.
    ///
    /// DETAIL, HINT and CONTEXT are omitted because they quote values; so are messages of data exceptions (family 22).
    package var diagnostic: String {
        switch self {
        case .statement(_, _, let message) where !message.isEmpty: "\(description): \(message)"
        case .migration(.failed(_, _, let message)) where !message.isEmpty: "\(description): \(message)"
        default: description
        }
    }

    /// The server's error code, if the server refused.
    package var state: SQLState? {
        if case .statement(let state, _, _) = self { state } else { nil }
    }

    /// The violated constraint, if any.
    package var constraint: String? {
        if case .statement(_, let constraint, _) = self { constraint } else { nil }
    }

    /// Whether no connection was established, so that the server may have stated a reason.
    package var isWithoutConnection: Bool {
        if case .unavailable = self { true } else { false }
    }

    /// Whether concurrent transactions blocked a statement by their changes or locks.
    package var isContention: Bool {
        state.map { ["40", "55"].contains($0.family) } ?? false
    }

    /// Whether the server refused a statement for an internal problem, such as a full disk, so that it may succeed
    /// later.
    package var mayPass: Bool {
        // Conflicts, resources, objects in use, operator intervention, system errors.
        state.map { ["40", "53", "55", "57", "58"].contains($0.family) } ?? false
    }

    /// Whether PostgreSQL denied or didn't find a named object: a permission, a table or a function.
    package var namesWhatIsMissing: Bool {
        state.map { [.insufficientPrivilege, .undefinedTable, .undefinedFunction].contains($0) } ?? false
    }

    /// Whether a retry may succeed and the first attempt changed nothing.
    package var isRepeatable: Bool {
        switch self {
        case .statement(.serializationFailure, _, _), .statement(.deadlockDetected, _, _): true
        case .connectionLost(let maybeCommitted): !maybeCommitted
        default: false
        }
    }
}
