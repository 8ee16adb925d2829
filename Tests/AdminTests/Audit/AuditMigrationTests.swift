import Foundation
import TestSupport
import Testing

@testable import Admin
@testable import Postgres

@Suite("The audit log's migration")
struct AuditMigrationTests {
    @Test("old rows stay, ids go on, open connections of the version before write on, and all is sealed")
    func migration() async throws {
        try await withTestDatabase(migrated: false) { database in
            let all = try Migrator.bundled()
            try await Migrator(migrations: Array(all.prefix(22))).migrate(database.configuration())
            let audit = try AuditFixture(database)
            try await audit.run(
                """
                insert into audit_events (at, action, outcome) select now() - n * interval '20 days', 'old', 'done' from generate_series(1, 30) n
                """)
            try await audit.run("begin; insert into audit_events (action, outcome) values ('undone', 'done'); rollback")
            // A server that runs: its statement is prepared, and a function of its session has a plan.
            let open = try Connection(database.configuration())
            let insert: SQL = "insert into audit_events (action, outcome) values ('between', 'done')"
            let call: SQL = "select revoke_sessions(now(), 'nobody', 'test', 'r')"
            for _ in 0..<7 {
                try open.execute(insert)
                try open.execute(call)
            }
            let before = try await rows(audit)
            try await Migrator.ofThisProgram().migrate(database.configuration())
            #expect(try await rows(audit) == before)
            try open.execute(insert)
            try open.execute(call)
            #expect(try await audit.number("select max(id) from audit_events") == 47)

            try await audit.sealer.sealAll(far: true)
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [])
            #expect(verdict.links == 46)
            #expect(verdict.waiting == 0)
            #expect(try await audit.number("select event_id from audit_chain where position = 1") == 1)
        }
    }

    private func rows(_ audit: AuditFixture) async throws -> [AuditEvent] {
        try await audit.log.events("select \(unsafeSQL: AuditEvent.columns) from audit_events e order by id")
    }
}
