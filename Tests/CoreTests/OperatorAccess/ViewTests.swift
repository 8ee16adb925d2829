import Accounts
import Foundation
import JSON
import Operators
import Postgres
import TestSupport
import Testing

@testable import Audit
@testable import OperatorAccess
@testable import Vocabulary

@Suite("Operators' views")
struct ViewTests {
    private static func rows(_ people: People) async throws -> [String] {
        try await people.texts(
            """
            select action || ' ' || coalesce(account_id::text, '-') || ' ' || coalesce(actor_id::text, '-') || ' ' || request_id
              from audit_events where action in ('account_viewed', 'history_viewed', 'accounts_searched') order by id
            """)
    }

    /// The same operator in another request.
    private static func asking(_ actor: AdminActor, _ request: String) throws -> AdminActor {
        guard case .session(let account, let session, _) = actor else { throw AdminRefusal.notAnOperator }
        return .session(
            account: account, session: session, Caller(address: "192.0.2.7", requestID: request))
    }

    @Test("F6: each view, search and history of an operator leaves one row")
    func trace() async throws {
        try await withPeople { people in
            let viewer = try await people.operatorWith(.viewer)
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            let (who, whom) = (
                try #require(viewer.account).uuidString.lowercased(), account.uuidString.lowercased()
            )
            // A page makes three reads of one account.
            let page = try Self.asking(viewer, "page")
            _ = try await people.records.dossier(account, by: page)
            _ = try await people.records.suggestions(account, by: page)
            _ = try await people.records.history(account, before: nil, limit: 10, by: page)
            _ = try await people.records.dossier(account, by: try Self.asking(viewer, "again"))
            _ = try await people.records.history(
                account, before: nil, limit: 10, by: try Self.asking(viewer, "history"))
            _ = try await people.operators.methods(of: account, by: try Self.asking(viewer, "methods"))
            _ = try await people.search.page(
                "ann@example", after: nil, limit: 10, by: try Self.asking(viewer, "search"))
            #expect(
                try await Self.rows(people) == [
                    "account_viewed \(whom) \(who) page", "account_viewed \(whom) \(who) again",
                    "history_viewed \(whom) \(who) history", "account_viewed \(whom) \(who) methods",
                    "accounts_searched - \(who) search",
                ])
            let details = try await people.texts(
                "select detail::text from audit_events where action = 'accounts_searched'")
            #expect(details == ["{\"found\": [\"\(whom)\"]}"])
            // Views are not events of the account.
            let history = try await people.records.history(account, before: nil, limit: 50, by: People.commandLine)
            #expect(history.array?.isEmpty == true)
        }
    }

    @Test("a view recomputes no search terms; a change does")
    func terms() async throws {
        try await withPeople { people in
            let viewer = try await people.operatorWith(.viewer)
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            // The operator's role was granted a moment ago.
            let before = try await people.texts("select term from recent_search_terms() order by term")
            #expect(!before.contains("ann"))
            _ = try await people.records.dossier(account, by: try Self.asking(viewer, "page"))
            _ = try await people.records.history(
                account, before: nil, limit: 10, by: try Self.asking(viewer, "history"))
            _ = try await people.search.page("ann", after: nil, limit: 10, by: try Self.asking(viewer, "search"))
            #expect(try await Self.rows(people).count == 3)
            #expect(try await people.texts("select term from recent_search_terms() order by term") == before)
            try await people.database.pool.withConnection { connection in
                try connection.execute(
                    "insert into audit_inbox (action, outcome, account_id) values ('profile_changed', 'done', \(account))"
                )
            }
            #expect(try await people.texts("select term from recent_search_terms()").contains("ann"))
        }
    }

    @Test("F6: a refused or unknown object leaves no view")
    func refused() async throws {
        try await withPeople { people in
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            let weak = try await people.operatorWith(.viewer, acr: "1")
            await #expect(throws: AdminRefusal.stepUpRequired) { try await people.records.dossier(account, by: weak) }
            let viewer = try await people.operatorWith(.viewer)
            await #expect(throws: AdminRefusal.notFound) { try await people.records.dossier(UUID(), by: viewer) }
            #expect(try await Self.rows(people) == [])
        }
    }

    @Test("F6: each operator's reads are limited separately, and never the answer to a change")
    func limit() async throws {
        try await withPeople { people in
            let desk = AdminDesk(pool: people.database.pool, readsPerMinute: 3)
            let records = AccountRecords(desk: desk)
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            let (one, other) = (try await people.operatorWith(.viewer), try await people.operatorWith(.viewer))
            for _ in 0..<3 { _ = try await records.dossier(account, by: one) }
            do {
                _ = try await records.dossier(account, by: one)
                Issue.record("The fourth was shown.")
            } catch AdminRefusal.throttled(let seconds) {
                #expect((1...20).contains(seconds))
            }
            for read in [
                { _ = try await records.history(account, before: nil, limit: 1, by: one) },
                { _ = try await AccountSearch(desk: desk).page("", after: nil, limit: 1, by: one) },
                { _ = try await AuditReading(desk: desk).page(AuditFilter(), before: nil, limit: 1, by: one) },
            ] as [@Sendable () async throws -> Void] {
                await #expect { try await read() } throws: { ($0 as? AdminRefusal)?.code == "throttled" }
            }
            _ = try await records.dossier(account, isAnswer: true, by: one)
            _ = try await records.dossier(account, by: other)
            _ = try await records.dossier(account, by: People.commandLine)
        }
    }
}
