import Cryptography
package import Foundation
import JSON
import Postgres

/// A filter for rows of the audit log; nil members match everything.
package struct AuditFilter: Sendable, Equatable {
    package var account: UUID?
    /// The acting operator.
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
    /// The start, inclusive.
    package var from: Date?
    /// The end, exclusive.
    package var to: Date?
    /// Whether operators' views match, too.
    package var views = true

    package init() {}

    /// Whether an index covers the filter; otherwise rows are scanned in pieces.
    var isIndexed: Bool { account != nil || actor != nil || action != nil || requestID != nil || isOpen }

    /// The conditions that an index can answer.
    var narrowedByIndex: AuditFilter {
        guard !isIndexed else { return self }
        var filter = AuditFilter()
        (filter.from, filter.to) = (from, to)
        return filter
    }

    /// Whether every row of the period matches.
    private var isOpen: Bool {
        outcome == nil && reason == nil && provider == nil && client == nil && address == nil && session == nil && views
    }

    /// Whether an event matches, by the same conditions as in SQL.
    package func matches(_ event: AuditEvent) -> Bool {
        conditions.allSatisfy { $0.fits(event) } && (from.map { event.at >= $0 } ?? true)
            && (to.map { event.at < $0 } ?? true) && (views || !AuditEventNames.isView(event.action))
    }

    /// The conditions, by the names of the API.
    var members: JSONObject {
        var members: JSONObject = [:]
        for condition in conditions { members[condition.name] = condition.json }
        for (name, time) in [("from", from), ("to", to)] {
            members[name] = time.map { .integer(Int($0.timeIntervalSince1970)) }
        }
        if !views { members["views"] = false }
        return members
    }

    /// Appends `and …` for each condition on a column, without the period.
    func append(to sql: inout SQL.StringInterpolation) {
        for condition in conditions { condition.append(to: &sql) }
        if !views { sql.appendLiteral(" and not is_view(e.action)") }
    }

    /// All conditions on one column each, by the names of the API.
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
