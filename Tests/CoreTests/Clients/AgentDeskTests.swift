import Foundation
import JSON
import Postgres
import Testing

@testable import Clients
@testable import OperatorAccess

@Suite("Operators and agents")
struct AgentDeskTests {
    private static func desk(_ people: People) throws -> ClientDesk {
        try ClientDesk(desk: people.desk, keys: People.keys, providers: [])
    }

    private static func address(_ name: String) -> String { "https://\(name).example/agent.json" }

    private static func id(_ name: String) -> String { ClientDocument.clientID(of: address(name)) }

    /// Adopts the document of an agent, and returns the outcome.
    @discardableResult
    private static func adopt(_ name: String, most: Int = 100, _ people: People) async throws -> String? {
        let (uris, digest): ([String], [UInt8]) = (["http://localhost/cb"], [1])
        return try await people.texts(
            """
            select adopt_client_document(\(id(name)), \(address(name)), \(name), \(uris), '{}', '{}', \(digest), 600, \(Int32(most)),
                                         null, 'test')
            """
        ).first
    }

    private static func register(_ id: String, _ people: People) async throws {
        let none: [[UInt8]] = []
        try await people.change(
            """
            select register_client(\(id), \(id), null, \(["http://localhost/cb"]), '{}', '{}', false, 100, null, 'test', \(none), '{}', '{}')
            """)
    }

    private static func grant(_ account: UUID, to client: String, days: Int32 = 1, _ people: People) async throws {
        try await people.change(
            """
            insert into app_grants (account_id, client_id, scopes, expires_at)
            values (\(account), \(client), '{openid}', now() + make_interval(days => \(days)))
            """)
    }

    private static func disabled(_ people: People) async throws -> [String] {
        try await people.texts("select name from clients where disabled_at is not null order by 1")
    }

    private static func disable(
        _ isDisabled: Bool, _ client: String, by actor: AdminActor = People.commandLine, _ people: People
    ) async throws {
        let change = try ClientChange(["disabled": .bool(isDisabled)])
        _ = try await desk(people).change(client, change, because: People.reason, by: actor)
    }

    @Test("agents are listed by their last use, page by page, and found by a part of name, host or id")
    func list() async throws {
        try await withPeople { people in
            let desk = try Self.desk(people)
            for name in ["ann", "bob", "cyd"] { try await Self.adopt(name, people) }
            try await people.change("insert into clients (id, name) values ('ducks', 'Ducks')")
            try await people.change(
                """
                update clients set created_at = now() - case id when \(Self.id("cyd")) then interval '2 days' else interval '9 days' end
                """)
            for (name, days) in [("ann", 3), ("bob", 1)] as [(String, Int32)] {
                try await people.change(
                    """
                    update agents set used_at = now() - make_interval(days => \(days)) where client_id = \(Self.id(name))
                    """)
            }
            for days in [1, 1, -1] as [Int32] {
                try await Self.grant(people.account(), to: Self.id("bob"), days: days, people)
            }
            func page(_ text: String, _ after: AgentCursor? = nil) async throws -> ClientDesk.AgentPage {
                try await desk.agents(text, after: after, limit: 2, by: People.commandLine)
            }
            func names(_ page: ClientDesk.AgentPage) -> [String?] { page.clients.map { $0["name"]?.string } }
            let first = try await page("")
            let next = try #require(first.next)
            #expect(names(first) == ["bob", "cyd"] && AgentCursor(next.description) == next)
            let last = try await page("", next)
            #expect(names(last) == ["ann"] && last.next == nil)
            let bob = try #require(first.clients.first?["agent"])
            #expect(bob["accounts"] == 2 && bob["document"]?.string == Self.address("bob"))
            #expect(bob["host"] == "bob.example" && bob["withdrawn"] == false && bob["invited"] == false)
            #expect(first.clients.last?["agent"]?["last_used_at"] == .null)
            for text in ["ANN", "ann.example", Self.id("ann"), Self.address("ann")] {
                #expect(try await names(page(text)) == ["ann"], "\(text)")
            }
            #expect(try await page("100%").clients == [])
            let apps = try await desk.list(by: People.commandLine)
            #expect(apps.map { $0["id"] } == ["ducks"] && apps.first?["agent"] == .null)
        }
    }

    @Test("a cursor that no page printed is none", arguments: ["", "1", "1.", "x.app", "1.-app", "1.a/b"])
    func cursors(text: String) {
        #expect(AgentCursor(text) == nil)
    }

    @Test("the last use is noted to the minute, and only of agents")
    func use() async throws {
        try await withPeople { people in
            try await Self.adopt("ann", people)
            func minutes(after seconds: Int32) async throws -> [String] {
                try await people.change("update agents set used_at = now() - make_interval(secs => \(seconds))")
                for client in [Self.id("ann"), "app"] { try await people.change("select note_agent_use(\(client))") }
                return try await people.texts("select (used_at > now() - interval '5 seconds')::text from agents")
            }
            #expect(try await minutes(after: 30) == ["false"])
            #expect(try await minutes(after: 90) == ["true"])
            try await people.change("update agents set used_at = null")
            try await people.change("select note_agent_use(\(Self.id("ann")))")
            #expect(try await people.texts("select count(used_at)::text from agents") == ["1"])
        }
    }

    @Test("a revocation voids grants and requests, ends sessions for good, and leaves a row with its reason")
    func revoke() async throws {
        try await withPeople { people in
            try await Self.adopt("ann", people)
            let (agent, account) = (Self.id("ann"), try await people.account())
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            let session = try await people.session(account, client: agent)
            try await Self.grant(account, to: agent, people)
            try await people.change(
                """
                insert into authorization_requests (id, client_id, parameters, is_pushed, expires_at)
                values (\(UUID()), \(agent), '{}', true, now() + interval '1 minute')
                """)
            try await people.change(
                """
                insert into device_requests (id, client_id, device_digest, user_code_digest, scopes, interval_seconds, expires_at)
                values (\(UUID()), \(agent), '\\x01', '\\x02', '{}', 5, now() + interval '1 minute')
                """)
            func lives() async throws -> [String] {
                try await people.texts("select session_lives(\(account), \(session))::text")
            }
            #expect(try await lives() == ["true"])
            try await Self.disable(true, agent, by: admin, people)
            #expect(try await lives() == ["false"])
            for table in ["app_grants", "authorization_requests", "device_requests"] {
                #expect(try await people.texts("select count(*)::text from \(unsafeSQL: table)") == ["0"], "\(table)")
            }
            let rows = try await people.texts(
                """
                select concat_ws(' ', detail->'before'->'agent'->>'accounts', detail->'after'->'agent'->>'accounts', words)
                  from audit_events where action = 'client_changed'
                """)
            #expect(rows == ["1 0 asked for by the person"])
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await Self.disable(true, agent, by: admin, people)
            }
            await #expect(throws: AdminRefusal.roleTooLow) { try await Self.disable(false, agent, by: admin, people) }
            try await Self.disable(false, agent, by: owner, people)
            #expect(try await lives() == ["false"])
        }
    }

    @Test("disabling an app that an operator added keeps what users granted")
    func operatorsApp() async throws {
        try await withPeople { people in
            try await people.change("insert into clients (id, name) values ('ducks', 'Ducks')")
            try await Self.grant(people.account(), to: "ducks", people)
            try await Self.disable(true, "ducks", people)
            #expect(try await people.texts("select client_id from app_grants") == ["ducks"])
        }
    }

    @Test("A revoked agent stays revoked: neither its document nor a full table nor the sweep brings it back")
    func staysRevoked() async throws {
        try await withPeople { people in
            for name in ["ann", "bob"] { try await Self.adopt(name, people) }
            try await Self.register("dyn-1", people)
            try await Self.register("dyn-2", people)
            for client in [Self.id("ann"), "dyn-1"] { try await Self.disable(true, client, people) }
            #expect(try await Self.adopt("ann", people) == "renewed")
            #expect(try await Self.disabled(people) == ["ann", "dyn-1"])
            // The table is full: the unused one that is not revoked makes room, though it is fresher.
            try await people.change(
                """
                update client_documents set fresh_until = now() - interval '1 hour' where client_id = \(Self.id("ann"))
                """)
            #expect(try await Self.adopt("cyd", most: 2, people) == "adopted")
            try await people.change("update clients set created_at = now() - interval '2 days'")
            #expect(try await people.texts("select sweep_registrations(10)::text") == ["1"])
            #expect(try await people.texts("select name from clients order by 1") == ["ann", "cyd", "dyn-1"])
        }
    }

    @Test("an agent that withdrew itself comes back by its document, unless an operator revokes it meanwhile")
    func withdrawn() async throws {
        try await withPeople { people in
            try await Self.adopt("ann", people)
            func withdraw() async throws {
                try await people.change("select withdraw_client_document(\(Self.address("ann")), null, 'test')")
                #expect(try await Self.disabled(people) == ["ann"])
            }
            try await withdraw()
            try await Self.adopt("ann", people)
            #expect(try await Self.disabled(people) == [])
            try await withdraw()
            try await Self.disable(true, Self.id("ann"), people)
            try await Self.adopt("ann", people)
            #expect(try await Self.disabled(people) == ["ann"])
            try await Self.disable(false, Self.id("ann"), people)
            #expect(try await Self.disabled(people) == [])
        }
    }

    @Test("a registration that ended itself is swept like an unused one")
    func ended() async throws {
        try await withPeople { people in
            try await Self.register("dyn-1", people)
            try await people.change("select end_registration('dyn-1', null, 'test')")
            #expect(try await Self.disabled(people) == ["dyn-1"])
            try await people.change("update clients set created_at = now() - interval '2 days'")
            #expect(try await people.texts("select sweep_registrations(10)::text") == ["1"])
        }
    }
}
