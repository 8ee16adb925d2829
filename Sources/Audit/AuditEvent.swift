package import Foundation
import Postgres

/// One row of the audit log: event, account, reason.
package struct AuditEvent: Sendable, Equatable {
    package var id: Int
    package var at: Date
    /// The action, such as `signed_in` or `refresh`.
    package var action: String
    /// `done` or `refused`.
    package var outcome: String
    package var reason: String?
    package var accountID: UUID?
    package var identityID: UUID?
    package var sessionID: UUID?
    package var clientID: String?
    package var provider: String?
    /// The caller's network address.
    package var address: String?
    package var requestID: String?
    /// A JSON document in PostgreSQL's format.
    package var detail: String?
    /// The acting operator; nil for the user, the server and the command line.
    package var actorID: UUID?
    /// The operator's reason.
    package var words: String?
}

extension AuditEvent {
    /// Every column, in the order of ``init(_:from:)``.
    static let columnNames = [
        "id", "at", "action", "outcome", "reason", "account_id", "identity_id", "session_id", "client_id", "provider",
        "address", "request_id", "detail", "actor_id", "words",
    ]

    /// For a statement in which `e` is the table.
    static let columns = columnNames.map { "e.\($0)" }.joined(separator: ", ")

    /// Reads the columns from the given position on.
    init(_ row: Row, from first: Int = 0) throws(PostgresError) {
        id = try row.value(first)
        at = try row.value(first + 1)
        action = try row.value(first + 2)
        outcome = try row.value(first + 3)
        reason = try row.value(first + 4)
        accountID = try row.value(first + 5)
        identityID = try row.value(first + 6)
        sessionID = try row.value(first + 7)
        clientID = try row.value(first + 8)
        provider = try row.value(first + 9)
        address = try row.value(first + 10)
        requestID = try row.value(first + 11)
        detail = try row.value(first + 12, as: JSONText?.self)?.text
        actorID = try row.value(first + 13)
        words = try row.value(first + 14)
    }
}

extension Date {
    /// Microseconds since 1970, the precision of PostgreSQL.
    package var microseconds: Int {
        Int((timeIntervalSinceReferenceDate * 1_000_000).rounded()) + Self.microsecondsTo2001
    }

    init(microseconds: Int) {
        // Computed as Double, because Int would overflow for distant times.
        self.init(
            timeIntervalSinceReferenceDate: (Double(microseconds) - Double(Self.microsecondsTo2001)) / 1_000_000)
    }

    private static let microsecondsTo2001 = 978_307_200_000_000
}
