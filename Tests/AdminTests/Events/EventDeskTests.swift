import Cryptography
import Foundation
import JSON
import Postgres
import Testing

@testable import Admin

@Suite("Event endpoints by operators")
struct EventDeskTests {
    @Test(
        "an address of this machine or its neighbours is no endpoint",
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
            } catch AdminRefusal.invalidMember(let pointer, _) {
                #expect(pointer == "/url")
            }
        }
    }

    @Test("a secret is sealed for its endpoint, and stands in no row of the audit log")
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

    @Test("there are so many endpoints and no more, and a change that changes nothing is refused")
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

    @Test("deliveries come newest first, page by page")
    func pages() async throws {
        try await withEvents { events in
            let (id, _) = try await events.endpoint()
            try await events.audit.append(5)
            try await events.seal()
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
