import Foundation
import Postgres
import TestSupport
import Testing

extension GatewayProcess {
    /// The actions on an account according to the audit log, oldest first.
    func actions(of account: String) async throws -> [String] {
        try await sql { connection in
            try connection.query(
                """
                select action from audit_events where account_id = \(account)::uuid and outcome = 'done' order by id
                """
            ).map { try $0.value(0) }
        }
    }

    /// Rows of every table with an account's id, except those that outlive accounts: the audit log, and tokens to
    /// revoke.
    func rows(about account: String) async throws -> Int {
        try await sql { connection in
            let columns = try connection.query(
                """
                select c.table_name::text, c.column_name::text from information_schema.columns c
                  join information_schema.tables t using (table_schema, table_name)
                 where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'audit%'
                   and c.table_name <> 'provider_revocations'
                   and c.udt_name = 'uuid' and (c.column_name = 'account_id' or (c.table_name, c.column_name) = ('accounts', 'id'))
                """
            ).map { (try $0.value(0, as: String.self), try $0.value(1, as: String.self)) }
            return try columns.reduce(0) { sum, column in
                let count = try connection.queryOne(
                    "select count(*) from \(unsafeSQL: column.0) where \(unsafeSQL: column.1) = \(account)::uuid")
                return sum + (try count?.value(0, as: Int.self) ?? 0)
            }
        }
    }
}

extension Deployment {
    @discardableResult
    func change(_ statement: SQL) async throws -> Int {
        try await database.pool.withConnection { try $0.execute(statement) }
    }

    func number(_ query: SQL) async throws -> Int {
        try await database.pool.withConnection { try $0.queryOne(query).map { try $0.value(0, as: Int.self) } ?? 0 }
    }

    /// Runs `body` while every deletion of an account is slow.
    func slowingDeletions(_ body: () async throws -> Void) async throws {
        _ = try await database.pool.withConnection { connection in
            try connection.executeScript(
                """
                create function slow_for_a_test() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return old; end $$;
                create trigger slow_for_a_test before delete on accounts for each row execute function slow_for_a_test();
                """)
        }
        try await body()
        // Waits for the transaction that the server left behind.
        _ = try await database.pool.withConnection { connection in
            try connection.executeScript("drop function slow_for_a_test cascade")
        }
    }

    /// Whether a server is deleting accounts now.
    func erasing() async throws -> Bool {
        try await number(
            """
            select count(*) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and query like '%sweep_deletions%' and wait_event = 'PgSleep'
            """) > 0
    }

    /// Requires that an account is unchanged, or completely deleted with one audit row.
    func expectWholeOrGone(_ account: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let there = try await number("select count(*) from accounts where id = \(account)::uuid")
        let identities = try await number("select count(*) from identities where account_id = \(account)::uuid")
        let rows = try await number(
            "select count(*) from audit_events where action = 'account_deleted' and account_id = \(account)::uuid")
        #expect(there == identities && there + rows == 1, sourceLocation: sourceLocation)
    }
}
