import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Accounts

@Suite("The export of merged accounts")
struct MergedExportTests {
    /// An account with the data that stays with it after a merge.
    private static func account(_ name: String, _ connection: Connection) throws -> UUID {
        let id = UUID.v7(at: Date(), random: .system)
        let address = "\(name.lowercased())@example.com"
        try connection.execute("insert into accounts (id, display_name) values (\(id), \(name))")
        for (key, isMain) in [(address, true), ("shared@example.com", false)] {
            try connection.execute(
                """
                insert into account_emails (account_id, address_key, address, source, is_main)
                values (\(id), \(key), \(key), 'person', \(isMain))
                """)
        }
        try connection.execute("insert into passwords (account_id, hash) values (\(id), 'hash')")
        try connection.execute("insert into clients (id, name) values ('app', 'App') on conflict do nothing")
        try connection.execute(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                  idle_seconds, idle_expires_at, expires_at)
            values (gen_random_uuid(), \(id), 'app', 'password', now(), '{pwd}', '1',
                    \(Array(address.utf8)), now(), 3600, now() + interval '1 hour', now() + interval '1 day')
            """)
        try connection.execute(
            """
            insert into outbox (id, medium, address, kind, detail, account_id, expires_at)
            values (gen_random_uuid(), 'email', \(address), 'notice.signed_in', '{}', \(id), now() + interval '1 day')
            """)
        try connection.execute(
            "insert into audit_inbox (action, outcome, account_id, address) values ('signed_in', 'done', \(id), \(name))"
        )
        return id
    }

    private static func merge(_ absorbed: UUID, into kept: UUID, _ connection: Connection) throws -> String? {
        let change = UUID.v7(at: Date(), random: .system)
        return try connection.queryOne(
            "select outcome from merge_accounts(\(change), \(kept), \(absorbed), null, false, null, null, 'test')"
        )?.value(0)
    }

    private static func export(_ account: UUID, _ pool: ConnectionPool) async throws -> JSON {
        let file = try SpoolFile()
        #expect(try await ExportStore(pool: pool).write(account, to: file))
        _ = try file.rewind()
        var bytes: [UInt8] = []
        while let piece = try file.read() { bytes += piece }
        return try JSON(parsing: String(decoding: bytes, as: UTF8.self), limits: .provider)
    }

    private static func values(_ export: JSON, _ section: String, _ member: String) -> [String] {
        (export[section]?.array ?? []).compactMap { $0[member]?.string }
    }

    @Test("it contains the data of all merged accounts, also indirectly merged ones")
    func merged() async throws {
        try await withTestDatabase { database in
            let (ann, other) = try await database.pool.withTransaction { connection in
                let (ann, ben) = (try Self.account("Ann", connection), try Self.account("Ben", connection))
                let (cem, other) = (try Self.account("Cem", connection), try Self.account("Dee", connection))
                #expect(try Self.merge(cem, into: ben, connection) == "merged")
                #expect(try Self.merge(ben, into: ann, connection) == "merged")
                return (ann, other)
            }
            let export = try await Self.export(ann, database.pool)
            #expect(export["account"]?["display_name"] == "Ann")
            // Sorted by id, which does not order two accounts of the same millisecond.
            #expect(Self.values(export, "absorbed_accounts", "display_name").sorted() == ["Ben", "Cem"])
            #expect(Self.values(export, "absorbed_accounts", "password_set_at").count == 2)
            #expect(Self.values(export, "emails", "address").count == 6)
            #expect(Self.values(export, "sessions", "id").count == 3)
            #expect(Set(Self.values(export, "events", "address")).isSuperset(of: ["Ann", "Ben", "Cem"]))
            let mailed = Set(Self.values(export, "messages", "address"))
            #expect(mailed.isSuperset(of: ["ann@example.com", "ben@example.com", "cem@example.com"]))
            #expect(!Self.values(export, "events", "address").contains("Dee"))

            let single = try await Self.export(other, database.pool)
            #expect(Self.values(single, "absorbed_accounts", "id") == [])
            #expect(Self.values(single, "sessions", "id").count == 1)
        }
    }
}
