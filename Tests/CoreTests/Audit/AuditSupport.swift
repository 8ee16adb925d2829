import Audit
import Cryptography
import Foundation
import Logging
import Postgres
import TestSupport

/// A database with the readers, sealer and verifier of its audit log.
struct AuditFixture: Sendable {
    static let masterKeys = "k1:" + Base64URL.encode([UInt8](repeating: 1, count: 32))
    let database: TestDatabase
    let keys: MasterKeys
    var pool: ConnectionPool { database.pool }
    var log: AuditLog { AuditLog(pool: pool) }
    var sealer: AuditSealer { AuditSealer(pool: pool, keys: keys, logger: .silent) }
    var retention: AuditRetention { AuditRetention(pool: pool, keepMonths: 0, logger: .silent) }

    static func keys() throws -> MasterKeys { try MasterKeys(masterKeys) }

    init(_ database: TestDatabase, keys: String = masterKeys) throws {
        (self.database, self.keys) = (database, try MasterKeys(keys))
    }

    /// Writes rows like the gateway.
    func append(_ count: Int, action: String = "signed_in") async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute(
                """
                insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address,
                                          request_id, detail, identity_id, actor_id)
                select \(action), 'done', 'known', gen_random_uuid(), gen_random_uuid(), 'app', 'apple', '203.0.113.7',
                       'r' || n, jsonb_build_object('n', n), gen_random_uuid(), gen_random_uuid()
                  from generate_series(1, \(count)) n
                """)
        }
    }

    /// Runs a script as the owner of the tables, without the guarding triggers.
    func tamper(_ script: String) async throws {
        _ = try await pool.withTransaction { connection in
            try connection.executeScript("set local session_replication_role = replica;" + script)
        }
    }

    func run(_ script: String) async throws {
        _ = try await pool.withConnection { try $0.executeScript(script) }
    }

    func number(_ query: SQL) async throws -> Int {
        try await pool.withConnection { try $0.queryOne(query)?.value(0) ?? -1 }
    }

    /// The verdict and the findings.
    func verify(expecting head: AuditHead? = nil, keys other: MasterKeys? = nil) async throws -> (
        AuditVerdict, [AuditFinding]
    ) {
        var findings: [AuditFinding] = []
        let verification = AuditVerification(pool: pool, keys: other ?? keys)
        let verdict = try await verification.run(expecting: head) { findings.append($0) }
        return (verdict, findings)
    }
}

/// Runs `body` with a fresh audit log.
func withAudit(_ body: (AuditFixture) async throws -> Void) async throws {
    try await withTestDatabase { try await body(try AuditFixture($0)) }
}
