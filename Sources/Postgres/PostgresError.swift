/// Everything that can go wrong between us and the database.
///
/// The description says what happened without SQL text, values or addresses, so it may be logged anywhere. What an
/// operator needs beyond that is in ``diagnostic``.
package enum PostgresError: Error, Equatable, Sendable {
    /// No connection is up: nothing was sent.
    ///
    /// `retryAfter` is the time until the next attempt, in whole seconds, at least 1.
    case unavailable(retryAfter: Int)
    /// The queue is full: nothing was sent.
    case overloaded
    /// No connection became free in time, or the server ended a statement that took too long.
    ///
    /// Nothing of that statement stays.
    case timedOut
    /// The calling task was cancelled.
    ///
    /// Nothing of its work stays.
    case cancelled
    /// The server refused a statement.
    ///
    /// `message` is the server's first line; it isn't part of the description.
    case statement(SQLState, constraint: String?, message: String)
    /// A column doesn't hold what was asked for: wrong type, NULL, or no column of that name.
    case decoding(column: String)
    /// The connection broke, or was given up because the server didn't answer or took no changes.
    ///
    /// With `maybeCommitted` false nothing was kept. With true nobody knows: also where the server kept something that its
    /// synchronous standby may not have.
    case connectionLost(maybeCommitted: Bool)
    /// The pool has been shut down.
    case closed
    /// The connection string can't be read.
    ///
    /// It isn't repeated here because it may hold a password.
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

    /// For logs: the description and, where the server said something, its message text.
    ///
    /// DETAIL, HINT and CONTEXT are left out because they quote values; so are messages of data exceptions (family 22).
    package var diagnostic: String {
        switch self {
        case .statement(_, _, let message) where !message.isEmpty: "\(description): \(message)"
        case .migration(.failed(_, _, let message)) where !message.isEmpty: "\(description): \(message)"
        default: description
        }
    }

    /// The code that the server gave, if it was the server that refused.
    package var state: SQLState? {
        if case .statement(let state, _, _) = self { state } else { nil }
    }

    /// The constraint that a statement broke, if it broke one.
    package var constraint: String? {
        if case .statement(_, let constraint, _) = self { constraint } else { nil }
    }

    /// Whether no connection came about, so that the server may have said why.
    package var isWithoutConnection: Bool {
        if case .unavailable = self { true } else { false }
    }

    /// Whether others stood in the way of a statement, by what they change or hold at the moment.
    package var isContention: Bool {
        state.map { ["40", "55"].contains($0.family) } ?? false
    }

    /// Whether the server refused a statement for what ails the server, such as a full disk, so that it may take the same
    /// one later.
    package var mayPass: Bool {
        // Conflicts, too few resources, something in use, an administrator's hand, the system.
        state.map { ["40", "53", "55", "57", "58"].contains($0.family) } ?? false
    }

    /// Whether PostgreSQL denied what a statement names, or doesn't know it: a right, a table or a function.
    package var namesWhatIsMissing: Bool {
        state.map { [.insufficientPrivilege, .undefinedTable, .undefinedFunction].contains($0) } ?? false
    }

    /// Whether the same work may succeed when it is sent again, and nothing of the first attempt was kept.
    package var isRepeatable: Bool {
        switch self {
        case .statement(.serializationFailure, _, _), .statement(.deadlockDetected, _, _): true
        case .connectionLost(let maybeCommitted): !maybeCommitted
        default: false
        }
    }
}
