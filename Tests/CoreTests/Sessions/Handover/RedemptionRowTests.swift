import Foundation
import TestSupport
import Testing

@testable import Postgres

/// The effect of `redeem_handover_code` on the session of a code.
@Suite("A session's row and its handover code")
struct RedemptionRowTests {
    private static let session = UUID()
    private static let digest: [UInt8] = Array(repeating: 1, count: 32)

    private static func add(_ connection: Connection) throws {
        try connection.execute("insert into clients (id, name) values ('app', 'App')")
        try connection.execute(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                                  idle_expires_at, expires_at)
            values (\(session), gen_random_uuid(), 'app', 'apple', now(), '{fed}', '1', \(digest), now(), 60,
                    now() + interval '1 minute', now() + interval '1 day')
            """)
    }

    private static func redeem(
        _ connection: Connection, digest: [UInt8] = digest, isBound: Bool? = true
    ) throws -> String? {
        try connection.queryOne(
            """
            select outcome from redeem_handover_code(\(session), \(digest), \(isBound), 'app', 3600, '192.0.2.1', null, 'request')
            """)?.value(0)
    }

    private static func end(_ connection: Connection) throws -> String? {
        try connection.queryOne("select end_reason from sessions where id = \(session)")?.value(0)
    }

    @Test("a redeemed session has the lifetime of the app, and the second use of the code ends it")
    func once() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try Self.add(connection)
                #expect(try Self.redeem(connection) == "redeemed")
                let seconds: Double? = try connection.queryOne(
                    "select extract(epoch from idle_expires_at - claimed_at)::float8 from sessions where id = \(Self.session)"
                )?.value(0)
                #expect(seconds == 3_600)
                #expect(try Self.end(connection) == nil)
                #expect(try Self.redeem(connection) == "reused")
                #expect(try Self.end(connection) == "code_reused")
            }
        }
    }

    @Test(
        "a code with another binding, or with the secret of another session, is spent",
        arguments: [(digest, false), (digest, nil), (Array(repeating: 2, count: 32), true)] as [([UInt8], Bool?)])
    func refused(digest: [UInt8], isBound: Bool?) async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try Self.add(connection)
                #expect(try Self.redeem(connection, digest: digest, isBound: isBound) == "invalid")
                #expect(try Self.end(connection) == "code_refused")
                #expect(try Self.redeem(connection) == "invalid")
            }
        }
    }
}
