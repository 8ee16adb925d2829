import Foundation
import Postgres
import TestSupport
import Testing

@Suite("A merge that fails in the middle")
struct MergeFaultTests {
    /// Every table that a merge or its undo writes to.
    static let tables = [
        "identities", "account_emails", "account_phones", "passkeys", "factors", "passwords", "accounts", "sessions",
        "remembered_devices", "account_changes", "audit_inbox", "outbox",
    ]

    @Test(
        "L-16, A-07: a merge, and its undo, that fail at any table leave both accounts as they were", arguments: tables)
    func fails(table: String) async throws {
        try await withPeople { people in
            let kept = try await people.fullAccount("kept")
            let absorbed = try await people.fullAccount("absorbed")
            let before = try await people.everything()
            try await people.breaking(table) {
                await #expect(throws: (any Error).self) { try await people.merge(absorbed, into: kept) }
            }
            #expect(try await people.everything() == before)

            let report = try await people.merge(absorbed, into: kept)
            let merged = try await people.everything()
            try await people.breaking(table) {
                // A deleted remembered device is not restored, so an undo does not touch that table.
                guard table != "remembered_devices" else { return }
                await #expect(throws: (any Error).self) { try await people.undo(report) }
            }
            #expect(try await people.everything() == merged)
        }
    }
}

extension People {
    /// An account with one item of every kind.
    fileprivate func fullAccount(_ name: String) async throws -> UUID {
        let id = try await account(
            name, emails: ["\(name)@example.com"], phones: ["+49301\(UInt32.random(in: 100_000...999_999))"],
            identities: [name], password: name == "absorbed")
        _ = try await session(id)
        try await database.pool.withTransaction { connection in
            try connection.execute(
                "insert into factors (id, account_id, kind, sealed) values (gen_random_uuid(), \(id), 'totp', '\\x00')")
            try connection.execute(
                """
                insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible, backed_up, attestation)
                values (gen_random_uuid(), \(id), \(Array(name.utf8)), '\\x01', '\\x02', -7, 0, false, false, 'none')
                """)
            try connection.execute(
                """
                insert into remembered_devices (id, account_id, digest, expires_at)
                values (gen_random_uuid(), \(id), '\\x03', now() + interval '1 day')
                """)
        }
        return id
    }

    /// The state that must not change: sign-in methods, sessions, records and queued messages.
    fileprivate func everything() async throws -> [String] {
        try await picture()
            + texts("select id::text || coalesce(end_reason, '') from sessions order by 1")
            + texts("select account_id::text from remembered_devices order by 1")
            + texts("select id::text from account_changes order by 1")
            + texts("select action || account_id from audit_events where action <> 'account_viewed' order by id")
            + texts("select kind || address from outbox order by id")
    }

    /// Runs `body` while every write to a table fails.
    fileprivate func breaking(_ table: String, _ body: () async throws -> Void) async throws {
        try await database.pool.withConnection { connection in
            try connection.executeScript(
                """
                create or replace function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
                create trigger broken before insert or update or delete on \(table) for each row execute function broken();
                """)
        }
        try await body()
        try await database.pool.withConnection { connection in
            try connection.executeScript("drop trigger broken on \(table)")
        }
    }
}
