import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension GuestTests {
    /// The sweep of unused guests; this gateway keeps them for 30 days.
    @Suite("The removal of guests")
    struct GuestRemovalTests {
        @Test("an unused guest is deleted, and a used one, a young one and an upgraded one stay")
        func swept() async throws {
            let gateway = try GatewayProcess.current
            let (unused, used, young) = (
                try await gateway.guest(), try await gateway.guest(), try await gateway.guest()
            )
            let upgraded = try await gateway.guest()
            let linked = try await gateway.link(
                try await gateway.simulator.mint("google"), bearer: upgraded.accessToken)
            #expect(linked.status == 201, "\(linked.text)")
            for guest in [unused, upgraded] { try await age(guest, days: 31, usedDaysAgo: 31) }
            try await age(used, days: 31, usedDaysAgo: 29)
            try await age(young, days: 29, usedDaysAgo: 29)
            try await sweep(until: unused)
            let kept = try await gateway.count(
                """
                select count(*) from accounts
                 where id::text in (\(used.account), \(young.account), \(upgraded.account)) and deletion_due_at is null
                """)
            #expect(kept == 3)
            try await gateway.expectEnded(unused.accessToken, [unused.refreshToken])
            let rows = try await gateway.audit(account: unused.account)
            #expect(rows.map(\.action) == ["account_created", "deletion_requested", "account_deleted"])
            #expect(rows.map(\.reason) == ["guest", "guest_unused", "deletion_due"])
        }

        @Test("a credential that arrives before the deletion cancels it")
        func cancelled() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            try await gateway.sql { connection in
                // Not committed before the credential, so that the server's own sweep can't come first.
                try connection.transaction { connection in
                    _ = try connection.execute(
                        "update accounts set deletion_requested_at = now(), deletion_due_at = now() where id = \(guest.account)::uuid"
                    )
                    _ = try connection.execute(
                        """
                        insert into account_emails (account_id, address_key, address, source, proved_at)
                        values (\(guest.account)::uuid, \(guest.account + "@example.com"), \(guest.account + "@example.com"), 'person', now())
                        """)
                }
            }
            let kept = try await gateway.count(
                "select count(*) from accounts where id = \(guest.account)::uuid and not guest and deletion_due_at is null"
            )
            #expect(kept == 1)
        }

        private func age(_ guest: SignedInAnswer, days: Int, usedDaysAgo used: Int) async throws {
            let gateway = try GatewayProcess.current
            try await gateway.sql { connection in
                try connection.transaction { connection in
                    _ = try connection.execute(
                        """
                        update sessions set rotated_at = now() - make_interval(days => \(Int32(used)))
                         where account_id = \(guest.account)::uuid
                        """)
                    _ = try connection.execute(
                        """
                        update accounts set created_at = now() - make_interval(days => \(Int32(days)))
                         where id = \(guest.account)::uuid
                        """)
                }
            }
        }

        /// Sweeps as the server does each minute, until the account is gone.
        private func sweep(until guest: SignedInAnswer) async throws {
            let gateway = try GatewayProcess.current
            _ = try await poll {
                _ = try await gateway.count("select sweep_guests(1000, 30, 'test')")
                _ = try await gateway.count("select sweep_deletions(20, 'test', 3600)")
                let left = try await gateway.count("select count(*) from accounts where id = \(guest.account)::uuid")
                return left == 0 ? true : nil
            }
        }
    }
}
