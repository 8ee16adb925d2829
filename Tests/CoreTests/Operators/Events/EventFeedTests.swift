import Foundation
import JSON
import Postgres
import Testing

@testable import Audit
@testable import Operators

@Suite("Events from the audit log")
struct EventFeedTests {
    /// A row of the log, and the types of its events.
    static let rows: [(action: String, reason: String?, hasSession: Bool, types: [String])] = [
        ("account_created", "no_match", true, ["account.created", "session.created"]),
        ("account_created", "operator", false, ["account.created"]),
        ("identity_linked", "both_proved", true, ["account.linked", "session.created"]),
        ("identity_linked", "accompanying_session", true, ["account.linked", "session.created"]),
        ("identity_linked", "linked_in_session", true, ["account.linked"]),
        ("identity_linked", "operator", false, ["account.linked"]),
        ("identity_moved", nil, false, ["account.linked"]), ("identity_unlinked", nil, true, ["account.unlinked"]),
        ("accounts_merged", nil, false, ["account.merged"]), ("account_absorbed", nil, false, []),
        ("account_split", nil, false, ["account.split"]),
        ("change_undone", "merge", false, ["account.change_undone"]),
        ("account_disabled", nil, false, ["account.disabled"]), ("account_active", nil, false, ["account.enabled"]),
        ("account_closed", nil, false, ["account.disabled"]), ("account_deleted", nil, false, ["account.deleted"]),
        ("deletion_requested", nil, true, ["account.deletion_requested"]),
        ("signed_in", "known_identity", true, ["session.created"]),
        ("app_signed_in", "browser_session", true, ["session.created"]),
        ("new_device", nil, true, ["session.new_device"]),
        ("session_ended", "signed_out", true, ["session.ended"]), ("refreshed", nil, true, []),
        ("address_claim_cleared", "proved_by_another_account", false, ["session.ended"]),
        ("proof_required", nil, false, ["session.ended"]),
        ("password_set", "reset", false, ["password.changed"]), ("factor_added", "totp", true, ["factor.added"]),
        ("factor_removed", "totp", true, ["factor.removed"]),
        ("provider_consent_revoked", nil, false, ["provider.event"]), ("event_endpoint_added", nil, false, []),
        ("provider_token_doubtful", "sessions_ended", false, ["provider.event"]),
        ("provider_token_doubtful", "held_back", false, []), ("provider_token_doubtful", nil, false, []),
    ]

    @Test("each row becomes the event of its action, and a refusal becomes none", arguments: rows.indices)
    func types(index: Int) {
        let row = Self.rows[index]
        var event = Self.event(row.action, row.reason)
        event.sessionID = row.hasSession ? UUID() : nil
        #expect(EventType.types(of: event).map(\.rawValue) == row.types)
        event.outcome = "refused"
        #expect(EventType.types(of: event) == [])
    }

    @Test("an event contains ids and codes, and no personal data")
    func personal() throws {
        var event = Self.event("accounts_merged", "asked by ann@example.com")
        let (account, absorbed) = (UUID(), UUID())
        (event.accountID, event.provider, event.clientID) = (account, "apple", "app")
        (event.address, event.words) = ("203.0.113.7", "Ann Duck asked for it")
        event.detail =
            JSON.object([
                "absorbed": .string(absorbed.text), "new": "ann@example.com", "change": "Ann Duck",
                "before": ["display_name": "Ann Duck", "emails": ["ann@example.com"]], "count": 3,
            ]).text
        let told = try #require(EventFeed.outgoing(event).first?["data"])
        #expect(
            told == [
                "account_id": .string(account.text), "client_id": "app", "provider": "apple",
                "absorbed_account_id": .string(absorbed.text), "sessions": 3,
            ])
    }

    @Test("rows from before the endpoint, of other types or apps, or while it was disabled are not queued")
    func filters() async throws {
        try await withEvents { events in
            try await events.audit.run("insert into clients (id, name) values ('app', 'A'), ('geese', 'G')")
            try await events.audit.append(2)
            let all = try await events.endpoint()
            try await events.endpoint("types", ["types": ["account.deleted"]])
            try await events.endpoint("geese", ["client_id": "geese"])
            try await events.audit.append(1)
            try await events.audit.append(1, action: "account_deleted")
            try await events.seal()
            #expect(
                try await events.deliveries().sorted() == [
                    "waiting account.deleted", "waiting account.deleted", "waiting session.created",
                ])
            _ = try await events.desk.change(
                all.id, ["disabled": true], because: EventFixture.reason, by: EventFixture.actor)
            try await events.append(5)
            #expect(try await events.deliveries().count == 3)
        }
    }

    @Test("an account's id stays in events after its deletion, without a foreign key")
    func payload() async throws {
        try await withEvents { events in
            try await events.endpoint()
            try await events.append(1)
            try await events.courier.deliverDue()
            let body = try JSON(parsing: try #require(events.receiver.posted.first).body)
            #expect(body["type"] == "session.created")
            #expect(body["timestamp"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil)
            #expect(
                body["data"]?.object?.members.map(\.name).sorted() == [
                    "account_id", "client_id", "identity_id", "provider", "reason", "session_id",
                ])
        }
    }

    @Test("signing out everywhere ends all sessions: the event has their number and no id")
    func everywhere() async throws {
        try await withEvents { events in
            try await events.endpoint()
            let (account, asking) = (UUID(), UUID())
            try await events.pool.withTransaction { connection in
                try connection.execute("insert into clients (id, name) values ('app', 'A')")
                try connection.execute("insert into accounts (id) values (\(account))")
                for session in [asking, UUID(), UUID()] {
                    try connection.execute(
                        """
                        insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest,
                                              rotated_at, idle_seconds, idle_expires_at, expires_at)
                        values (\(session), \(account), 'app', 'password', now(), '{pwd}', '1',
                                \(Array("digest \(session)".utf8)), now(), 3600, now() + interval '1 hour',
                                now() + interval '1 day')
                        """)
                }
                try connection.execute("select sign_out_everywhere(\(account), \(asking), 'app', null, 'test')")
            }
            try await events.seal()
            try await events.courier.deliverDue()
            let body = try JSON(parsing: try #require(events.receiver.posted.first).body)
            #expect(body["type"] == "session.ended")
            let told = try #require(body["data"])
            #expect(told["account_id"] == .string(account.text))
            #expect(told["reason"] == "signed_out_everywhere" && told["sessions"] == 3)
            #expect(told["session_id"] == nil)
        }
    }

    @Test("the end of one session names it")
    func oneSession() throws {
        var event = Self.event("session_ended", "signed_out")
        let session = UUID()
        event.sessionID = session
        let told = try #require(EventFeed.outgoing(event).first?["data"])
        #expect(told["session_id"] == .string(session.text) && told["reason"] == "signed_out")
    }

    @Test("a disowned session names no session, because all ended")
    func disowned() throws {
        var event = Self.event("session_ended", "disowned")
        event.sessionID = UUID()
        let told = try #require(EventFeed.outgoing(event).first?["data"])
        #expect(told["session_id"] == nil && told["reason"] == "disowned")
    }

    private static func event(_ action: String, _ reason: String?) -> AuditEvent {
        AuditEvent(id: 1, at: Date(), action: action, outcome: "done", reason: reason)
    }
}
