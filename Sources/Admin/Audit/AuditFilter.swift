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

    /// The same decision as ``append(to:)`` makes in SQL.
    package func matches(_ event: AuditEvent) -> Bool {
        let texts = [
            (action, event.action), (outcome, event.outcome), (reason, event.reason), (provider, event.provider),
            (client, event.clientID), (address, event.address), (requestID, event.requestID),
        ]
        let ids = [(account, event.accountID), (actor, event.actorID), (session, event.sessionID)]
        return texts.allSatisfy { wanted, found in wanted.map { found?.hasSameBytes(as: $0) ?? false } ?? true }
            && ids.allSatisfy { wanted, found in wanted == nil || wanted == found }
            && (from.map { event.at >= $0 } ?? true) && (to.map { event.at < $0 } ?? true)
    }

    /// What is asked for, by the names of the API.
    var members: JSONObject {
        var members: JSONObject = [:]
        for (name, id) in [("account", account), ("actor", actor), ("session", session)] {
            members[name] = id.map { .string($0.text) }
        }
        for (name, text) in [
            ("action", action), ("outcome", outcome), ("reason", reason), ("provider", provider), ("client", client),
            ("address", address), ("request_id", requestID),
        ] { members[name] = text.map(JSON.string) }
        for (name, time) in [("from", from), ("to", to)] {
            members[name] = time.map { .integer(Int($0.timeIntervalSince1970)) }
        }
        return members
    }

    /// Appends `and …` for each condition on the columns, the time not among them.
    func append(to sql: inout SQL.StringInterpolation) {
        func add(_ column: String, _ value: (some SQLValue)?) {
            guard let value else { return }
            sql.appendLiteral(" and e.\(column) = ")
            sql.appendInterpolation(value)
        }
        add("account_id", account)
        add("actor_id", actor)
        add("action", action)
        add("outcome", outcome)
        add("reason", reason)
        add("provider", provider)
        add("client_id", client)
        add("address", address)
        add("request_id", requestID)
        add("session_id", session)
    }
}
