import Foundation
import TestSupport
import Testing

@testable import Messages
@testable import Postgres

@Suite("Claims on the outbox")
struct OutboxClaimTests {
    @Test("an expired code is not sent")
    func expired() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let message = try await test.write()
            try await test.change(
                "update outbox set claimed_until = now() - interval '1 second', expires_at = now()")
            try await test.working { try await TestOutbox.until { try await test.state(message) == "expired 1" } }
            #expect(test.courier.carried.isEmpty)
        }
    }

    @Test("a dead server's message is sent after its lease, not before")
    func leftBehind() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let message = try await test.write()
            #expect(try await test.store.claim(.email, atMost: 10).isEmpty)
            try await test.change("update outbox set claimed_until = now() - interval '1 second'")
            try await test.working { try await TestOutbox.until { try await test.state(message) == "sent 2" } }
        }
    }

    @Test("a lost claim settles nothing, and the sent message stays sent")
    func lostClaim() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let message = try await test.write()
            try await test.change("update outbox set claimed_until = now() - interval '1 second'")
            #expect(try await test.store.claim(.email, atMost: 10).map(\.tries) == [2])
            #expect(await test.store.settle(message.id, tries: 1, .refused(reason: "late"), retry: 0))
            #expect(await test.store.settle(message.id, tries: 1, .failed(reason: "late"), retry: 1))
            #expect(try await test.state(message) == "waiting 2 sealed claimed")
            #expect(await test.store.settle(message.id, tries: 1, .sent(providerID: nil), retry: 0))
            #expect(try await test.state(message) == "sent 2")
        }
    }

    @Test("two servers send each message once")
    func twoServers() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.change(
                """
                insert into outbox (id, medium, address, kind, detail, expires_at)
                select gen_random_uuid(), 'email', 'ann@example.com', 'notice.refresh_reuse', '{}', now() + interval '1 day'
                  from generate_series(1, 300)
                """)
            let (one, two) = (test.anotherOutbox(), test.outbox)
            try await test.working(one) {
                try await test.working(two) {
                    try await TestOutbox.until {
                        try await test.database.pool.withConnection {
                            try $0.queryOne("select count(*) from outbox where state = 'sent'")?.value(0) == 300
                        }
                    }
                }
            }
            #expect(test.courier.carried.count == 300)
            #expect(Set(test.courier.carried).count == 300)
        }
    }
}
