import Cryptography
package import Foundation
import JSON
import Postgres

/// Which rows of the audit log are asked for; what is nil doesn't matter.
package struct AuditFilter: Sendable, Equatable {
    package var account: UUID?
    /// The operator who did it.
    package var actor: UUID?
    package var action: String?
    /// `done` or `refused`.
    package var outcome: String?
    package var reason: String?
    package var provider: String?
    package var client: String?
    package var address: String?
    package var requestID: String?
    package var session: UUID?
    /// The first moment.
    package var from: Date?
    /// The moment after the last.
    package var to: Date?

    package init() {}

    /// Whether an index leads to the rows; the others are looked for among all rows, a piece at a time.
    var isIndexed: Bool { account != nil || actor != nil || action != nil || requestID != nil || isOpen }

    /// What a statement that must not look at more rows than it brings may ask for: more rows, if no index leads to those
    /// that fit.
    var narrowedByIndex: AuditFilter {
        guard !isIndexed else { return self }
        var filter = AuditFilter()
        (filter.from, filter.to) = (from, to)
        return filter
    }

    /// Whether every row of the time fits.
    private var isOpen: Bool {
        outcome == nil && reason == nil && provider == nil && client == nil && address == nil && session == nil
    }

    /// Whether an event fits: the same conditions as in SQL.
    package func matches(_ event: AuditEvent) -> Bool {
        conditions.allSatisfy { $0.fits(event) } && (from.map { event.at >= $0 } ?? true)
            && (to.map { event.at < $0 } ?? true)
    }

    /// What is asked for, by the names of the API.
    var members: JSONObject {
        var members: JSONObject = [:]
        for condition in conditions { members[condition.name] = condition.json }
        for (name, time) in [("from", from), ("to", to)] {
            members[name] = time.map { .integer(Int($0.timeIntervalSince1970)) }
        }
        return members
    }

    /// Appends `and …` for each condition on the columns, the time not among them.
    func append(to sql: inout SQL.StringInterpolation) {
        for condition in conditions { condition.append(to: &sql) }
    }

    /// All conditions but the time, by the names of the API.
    private var conditions: [AuditCondition] {
        [
            AuditCondition("account", "account_id", .id(account)) { .id($0.accountID) },
            AuditCondition("actor", "actor_id", .id(actor)) { .id($0.actorID) },
            AuditCondition("session", "session_id", .id(session)) { .id($0.sessionID) },
            AuditCondition("action", "action", .text(action)) { .text($0.action) },
            AuditCondition("outcome", "outcome", .text(outcome)) { .text($0.outcome) },
            AuditCondition("reason", "reason", .text(reason)) { .text($0.reason) },
            AuditCondition("provider", "provider", .text(provider)) { .text($0.provider) },
            AuditCondition("client", "client_id", .text(client)) { .text($0.clientID) },
            AuditCondition("address", "address", .text(address)) { .text($0.address) },
            AuditCondition("request_id", "request_id", .text(requestID)) { .text($0.requestID) },
        ]
    }
}
