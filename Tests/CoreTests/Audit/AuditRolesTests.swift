import Foundation
import TestSupport
import Testing

@testable import Audit
@testable import Postgres

/// `deploy/postgres/roles.sql`, run by psql as an administrator does, on a private server: roles belong to all
/// databases of a server.
@Suite("The serving role and the audit log")
struct AuditRolesTests {
    private static let script: String = {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../deploy/postgres/roles.sql").path
    }()

    private static func grant(_ cluster: PrivateCluster) async throws {
        try await ChildProcess.run(
            ["psql", "--no-psqlrc", "--quiet", "--dbname", url(cluster, "postgres"), "--file", script])
    }

    private static func url(_ cluster: PrivateCluster, _ role: String) -> String {
        "postgresql://\(role)@/login?host=\(cluster.folder)"
    }

    private static func connect(_ cluster: PrivateCluster, _ role: String) throws -> Connection {
        try Connection(PostgresConfiguration(url: url(cluster, role)))
    }

    private static let forbidden = [
        "update audit_events set action = 'x'", "delete from audit_events",
        "update audit_inbox set action = 'x'", "delete from audit_inbox", "truncate audit_inbox",
        "update audit_sealed set action = 'x'", "delete from audit_sealed", "truncate audit_sealed",
        "insert into audit_sealed (position, id, at, action, outcome) values (1, 1, now(), 'x', 'done')",
        "insert into audit_events (action, outcome) values ('x', 'done')",
        "drop view audit_events", "drop table audit_inbox", "drop table audit_sealed",
        "drop table audit_sealed_default",
        "alter table audit_inbox disable trigger all",
        "alter table audit_sealed detach partition audit_sealed_default",
        "set session_replication_role = replica",
        "insert into audit_inbox (id, action, outcome) values (5, 'x', 'done')",
        "insert into audit_inbox (at, action, outcome) values (now() - interval '1 day', 'x', 'done')",
        "insert into audit_sealed_default (action, outcome) values ('x', 'done')",
        "insert into audit_sealed_2031_05 (action, outcome) values ('x', 'done')",
        "insert into audit_sealed_2031_05 (id, at, action, outcome) values (5, '2031-05-05', 'x', 'done')",
        "update audit_sealed_2031_05 set action = 'x'", "delete from audit_sealed_2031_05",
        "truncate audit_sealed_2031_05", "drop table audit_sealed_2031_05",
        "update audit_chain set key_id = 'x'", "delete from audit_chain", "truncate audit_chain",
        "update audit_checkpoint set position = 1", "delete from audit_checkpoint",
        "insert into audit_checkpoint (singleton, position, digest, pruned_before) values (false, 1, '', now())",
        "insert into audit_counts values (now(), 'x', 'done', '', '', 1)", "update audit_counts set count = 0",
        "delete from audit_counts", "truncate audit_counts",
        "set gateway.sealing = 'on'; delete from audit_inbox", "insert into audit_chain select * from audit_chain",
        "select make_audit_partitions_from('2033-05-01')", "select prune_audit(2)",
        "select prune_audit(null)", "create table audit_sealed_2031_08 (id bigint)",
        "create temporary table audit_sealed_2031_08 (id bigint)",
    ]

    @Test("it can read and insert, but not change, delete, date or number a row, also in later months")
    func serving() async throws {
        try await withPrivateCluster { cluster in
            try Connection(PostgresConfiguration(url: cluster.url)).executeScript("create database login")
            try await Self.grant(cluster)
            let owner = try Self.connect(cluster, "gateway_migrate")
            _ = try Migrator.ofThisProgram().migrate(on: owner)
            let serving = try Self.connect(cluster, "gateway_serve")
            let insert: SQL =
                "insert into audit_inbox (action, outcome, actor_id) values ('x', 'done', gen_random_uuid())"
            // Before the second run of the script, the role can only read.
            #expect(try serving.query("select from audit_events").isEmpty)
            #expect(throws: PostgresError.self) { try serving.execute(insert) }
            for statement in Self.forbidden {
                #expect(throws: PostgresError.self, "\(statement)") { try serving.executeScript(statement) }
            }
            // A former version of the script did this; its next run revokes it.
            try owner.executeScript("alter default privileges in schema public grant insert on tables to gateway_serve")
            try await Self.grant(cluster)
            try owner.executeScript("create table made_later (id integer)")
            #expect(throws: PostgresError.self) { try serving.executeScript("insert into made_later values (1)") }
            try serving.execute(insert)
            try owner.executeScript("select make_audit_partitions_from('2031-05-01')")
            try serving.execute(insert)
            let seen = try serving.query("select * from audit_events")
            #expect(seen.count == 2)

            for statement in Self.forbidden {
                #expect(throws: PostgresError.self, "\(statement)") { try serving.executeScript(statement) }
            }
            #expect(try owner.query("select from audit_events where action = 'x'").count == 2)
            #expect(try serving.queryOne("select make_audit_partitions()")?.value(0) == 0)
            #expect(try serving.query("select unnest(prune_audit(3))").isEmpty)
        }
    }

    @Test("it can seal, verify and prune, and create missing months")
    func work() async throws {
        try await withPrivateCluster { cluster in
            try Connection(PostgresConfiguration(url: cluster.url)).executeScript("create database login")
            try await Self.grant(cluster)
            let owner = try Self.connect(cluster, "gateway_migrate")
            _ = try Migrator.ofThisProgram().migrate(on: owner)
            try owner.executeScript("drop table audit_sealed_\(try Self.lastMonth(owner))")
            try await Self.grant(cluster)
            let pool = ConnectionPool(
                configuration: PostgresConfiguration(url: Self.url(cluster, "gateway_serve")), logger: .silent)
            let keys = try AuditFixture.keys()
            try await pool.withConnection {
                _ = try $0.execute("insert into audit_inbox (action, outcome) values ('x', 'done')")
            }
            try await AuditSealer(pool: pool, keys: keys, logger: .silent).sealAll()
            var findings: [AuditFinding] = []
            let verdict = try await AuditVerification(pool: pool, keys: keys).run { findings.append($0) }
            #expect(findings == [] && verdict.events == 1)
            let counted = try owner.queryOne("select sum(count)::bigint from audit_counts")
            #expect(try counted?.value(0) == 1)
            let retention = AuditRetention(pool: pool, keepMonths: 0, logger: .silent)
            #expect(try await retention.makePartitions() == 1)
            #expect(try await retention.prune(keepMonths: 3, requestID: "test") == [])
            await pool.shutdown()
        }
    }

    private static func lastMonth(_ owner: Connection) throws -> String {
        let row = try owner.queryOne(
            """
            select right(max(inhrelid::regclass::text), 7) from pg_inherits
             where inhparent = 'audit_sealed'::regclass and inhrelid::regclass::text <> 'audit_sealed_default'
            """)
        return try row?.value(0) ?? ""
    }
}
