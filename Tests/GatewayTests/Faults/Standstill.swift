import Postgres
import TestSupport

/// Stops transactions of a gateway at one of their writes, so that a test can kill it there.
///
/// Triggers on every table of the test's own database wait for an advisory lock that the test holds. Consecutive writes
/// of the same kind count once.
struct Standstill: Sendable {
    /// A stopped transaction.
    struct Found: Sendable {
        let backend: Int32
        /// Such as `UPDATE accounts`, or `COMMIT`.
        let place: String
    }

    /// In place of a write's number: after all writes, when `commit` has reached the database.
    static let atCommit = -1
    private static let lock = 1_937_008_993

    private let database: TestDatabase
    /// A pool of one connection, because a lock belongs to its session.
    private let holder: ConnectionPool

    /// Runs `body` with a database that can stop the transactions chosen by an SQL expression.
    static func with(
        _ database: TestDatabase, where condition: String, _ body: (Standstill) async throws -> Void
    ) async throws {
        try await database.pool.withConnection { try $0.executeScript(Self.triggers(condition)) }
        let holder = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
        do {
            try await body(Standstill(database: database, holder: holder))
            await holder.shutdown()
        } catch {
            await holder.shutdown()
            throw error
        }
    }

    /// Stops the next such transaction at this write, 1-based.
    func hold(at write: Int) async throws {
        let target = Int32(write)
        _ = try await holder.withConnection { connection in
            try connection.execute("update standstill.target set write = \(target)")
            try connection.execute("select pg_advisory_lock(\(unsafeSQL: "\(Self.lock)"))")
        }
    }

    /// The transaction that is stopped now.
    func found() async throws -> Found? {
        try await database.pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select a.pid, substr(a.application_name, 4) from pg_stat_activity a join pg_locks l on l.pid = a.pid
                 where l.locktype = 'advisory' and not l.granted and l.objid = \(unsafeSQL: "\(Self.lock)")
                   and a.datname = current_database() and a.application_name like 'at %'
                """)
            return try row.map { Found(backend: try $0.value(0), place: try $0.value(1)) }
        }
    }

    /// Ends a transaction and its database process, as in a loss of the whole machine.
    func terminate(_ found: Found) async throws {
        _ = try await database.pool.withConnection { connection in
            try connection.execute("select pg_terminate_backend(\(found.backend))")
        }
    }

    /// Lets it continue, and waits until its database process has ended.
    func letGo(_ found: Found?) async throws {
        _ = try await holder.withConnection { connection in
            try connection.execute("select pg_advisory_unlock(\(unsafeSQL: "\(Self.lock)"))")
        }
        guard let found else { return }
        _ = try await poll(within: .seconds(120)) {
            try await database.pool.withConnection { connection in
                try connection.queryOne("select from pg_stat_activity where pid = \(found.backend)") == nil ? true : nil
            }
        }
    }

    private static func triggers(_ condition: String) -> String {
        """
        create schema standstill;
        create table standstill.target (write integer not null);
        insert into standstill.target values (0);
        create function standstill.pass() returns trigger language plpgsql as $$
        declare
            place text := case tg_when when 'AFTER' then 'COMMIT' else tg_op || ' ' || tg_table_name end;
            number integer := coalesce(nullif(current_setting('standstill.number', true), ''), '0')::integer;
        begin
            -- Sealing is not the request's.
            if tg_table_name = 'audit_inbox' and tg_op = 'DELETE' then
                return old;
            end if;
            if (\(condition)) and place is distinct from current_setting('standstill.place', true) then
                number := case tg_when when 'AFTER' then \(atCommit) else number + 1 end;
                perform set_config('standstill.place', place, true);
                perform set_config('standstill.number', number::text, true);
                if number = (select write from standstill.target) then
                    perform set_config('application_name', 'at ' || place, true), pg_advisory_xact_lock_shared(\(lock));
                end if;
            end if;
            if tg_op = 'DELETE' then
                return old;
            end if;
            return new;
        end $$;
        do $$
        declare
            each regclass;
        begin
            for each in select oid from pg_class
                         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
                           and relname <> 'audit_sealed'
            loop
                execute format('create trigger standstill before insert or update or delete on %s '
                               'for each row execute function standstill.pass()', each);
                execute format('create constraint trigger standstill_at_commit after insert or update or delete on %s '
                               'deferrable initially deferred for each row execute function standstill.pass()', each);
            end loop;
        end $$;
        """
    }
}
