import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess
@testable import Operators

@Suite("Operators' changes of webhook endpoints")
struct EventDeskTests {
    @Test(
        "an address of this machine or its network is refused",
        arguments: [
            "http://ducks.org/", "https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/x",
            "https://169.254.169.254/latest", "https://ducks.org/#x",
        ])
    func inside(url: String) async throws {
        try await withEvents { events in
            do {
                _ = try await events.desk.create(
                    ["url": .string(url)], because: EventFixture.reason, by: EventFixture.actor)
                Issue.record("\(url) was taken")
            } catch AdminRefusal.invalidMember(let pointer, _, _) {
                #expect(pointer == "/url")
            }
        }
    }

    @Test("an unknown event type comes with every type")
    func types() {
        let refusal = #expect(throws: AdminRefusal.self) {
            try EndpointChange(["types": ["account.sold"]], allowsLocal: false)
        }
        #expect(refusal?.fault == .invalidMember(pointer: "/types/0", reason: "unknown_type"))
        #expect(refusal?.accepted == EventType.allCases.map(\.rawValue))
    }

    @Test("a secret is sealed for its endpoint and absent from the audit log")
    func secrets() async throws {
        try await withEvents { events in
            let (id, first) = try await events.endpoint()
            let second = try await events.desk.replaceSecret(id, because: EventFixture.reason, by: EventFixture.actor)
            #expect(first != second.secret && first.hasPrefix("whsec_"))
            let rows = try await events.pool.withConnection { connection in
                try connection.query("select detail::text from audit_events").map { try $0.value(0, as: String.self) }
            }
            #expect(rows.count == 2 && rows.allSatisfy { !$0.contains(first) && !$0.contains(second.secret) })
            let sealed: [UInt8] = try #require(
                try await events.pool.withConnection {
                    try $0.queryOne("select secret from event_endpoints")?.value(0)
                })
            #expect(EventSecret(sealed: sealed, for: id, .init(events.audit.keys))?.revealedText == second.secret)
            #expect(EventSecret(sealed: sealed, for: UUID(), .init(events.audit.keys)) == nil)
        }
    }

    @Test("the number of endpoints is limited, and an empty change is refused")
    func limits() async throws {
        try await withEvents { events in
            var last = UUID()
            for number in 0..<24 { last = try await events.endpoint("duck\(number)").id }
            await #expect(throws: AdminRefusal.invalidMember(pointer: "", reason: "too_many_endpoints")) {
                try await events.endpoint("goose")
            }
            let id = last
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await events.desk.change(
                    id, ["disabled": false], because: EventFixture.reason, by: EventFixture.actor)
            }
        }
    }

    @Test("a removed endpoint disappears immediately, and its rows are deleted in portions")
    func removed() async throws {
        try await withEvents { events in
            for number in 0..<23 { try await events.endpoint("duck\(number)") }
            let (id, _) = try await events.endpoint("goose")
            try await events.append(5)
            let all = try await events.deliveries(of: id)
            try await events.desk.remove(id, because: EventFixture.reason, by: EventFixture.actor)
            #expect(try await events.desk.list(by: EventFixture.actor).count == 23)
            #expect(try await events.desk.standings(by: EventFixture.actor).count == 23)
            #expect(try await events.deliveries(of: id).isEmpty)
            let delivery = try #require(all.first?["id"]?.string)
            await #expect(throws: AdminRefusal.notFound) {
                try await events.desk.delivery(delivery, by: EventFixture.actor)
            }
            await #expect(throws: AdminRefusal.notFound) {
                try await events.desk.replay(delivery: delivery, because: EventFixture.reason, by: EventFixture.actor)
            }
            await #expect(throws: AdminRefusal.notFound) {
                try await events.desk.remove(id, because: EventFixture.reason, by: EventFixture.actor)
            }
            // There is room for another endpoint, and the removed one gets no more events.
            try await events.endpoint("swan")
            try await events.courier.deliverDue()
            #expect(!events.receiver.posted.contains { $0.url.contains("goose") })
            let store = EventDeliveryStore(pool: events.pool, box: .init(events.audit.keys))
            for count in [2, 2, 1, 0] { #expect(try await store.sweep(limit: 2) == count) }
            #expect(try await events.audit.number("select count(*) from event_endpoints") == 24)
            #expect(try await events.audit.number("select count(*) from event_endpoints where id = \(id)") == 0)
        }
    }

    @Test("a server of the previous version can't restore a removed endpoint")
    func notRevived() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.desk.remove(id, because: EventFixture.reason, by: EventFixture.actor)
            await #expect(throws: PostgresError.self) {
                try await events.audit.run("update event_endpoints set disabled_at = null")
            }
            #expect(try await events.audit.number("select length(secret) from event_endpoints") == 0)
        }
    }

    @Test("failed deliveries are counted, listed and retried by an index, regardless of delivered ones")
    func cost() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.audit.run(
                """
                insert into event_deliveries (id, endpoint_id, type, occurred_at, payload, state, settled_at, give_up_at)
                select 'msg_' || n, '\(id)', 'test', now(), '{}', case when n <= 5 then 'dead' else 'delivered' end, now(), now()
                  from generate_series(1, 20000) n;
                analyze event_deliveries
                """)
            // One connection, so that its counts are known.
            let pool = ConnectionPool(
                configuration: events.audit.database.configuration(maximumConnections: 1), logger: .silent)
            let desk = EventDesk(desk: AdminDesk(pool: pool), keys: events.audit.keys, allowsLocal: false)
            let dead = try await desk.deliveries(
                EventDesk.Filter(endpoint: id, state: "dead"), before: nil, limit: 50, by: EventFixture.actor)
            #expect(dead.deliveries.count == 5)
            #expect(try await desk.standings(by: EventFixture.actor)[0]["dead"] == 5)
            let replayed = try await desk.replay(
                endpoint: id, from: nil, to: nil, because: EventFixture.reason, by: EventFixture.actor)
            #expect(replayed == 5)
            let scans = try await pool.withConnection { connection in
                _ = try connection.query("select pg_stat_force_next_flush()")
                _ = try connection.query("select 1")
                return try connection.queryOne(
                    """
                    select i.idx_scan, t.seq_scan from pg_stat_user_indexes i join pg_stat_user_tables t using (relid)
                     where i.indexrelname = 'event_deliveries_dead'
                    """
                ).map { (try $0.value(0, as: Int.self), try $0.value(1, as: Int.self)) }
            }
            #expect(scans?.0 ?? 0 >= 3, "\(String(describing: scans))")
            await pool.shutdown()
        }
    }

    @Test("deliveries are listed newest first, page by page")
    func pages() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.append(5)
            var (ids, place): ([String], Int?) = ([], nil)
            repeat {
                let page = try await events.desk.deliveries(
                    EventDesk.Filter(endpoint: id, state: "waiting"), before: place, limit: 2, by: EventFixture.actor)
                ids += page.deliveries.compactMap { $0["id"]?.string }
                place = page.next
            } while place != nil
            #expect(ids.count == 5 && Set(ids).count == 5)
            let all = try await events.pool.withConnection { connection in
                try connection.query("select id from event_deliveries order by number desc").map {
                    try $0.value(0, as: String.self)
                }
            }
            #expect(ids == all)
        }
    }
}
