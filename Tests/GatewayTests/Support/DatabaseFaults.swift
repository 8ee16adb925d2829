import Postgres
import TestSupport

/// Runs a statement on another server than that of a deployment's database.
func onServer<Value: Sendable>(_ url: String, _ body: @escaping @Sendable (Connection) throws -> Value) async throws
    -> Value
{
    try await SingleConnection.run(PostgresConfiguration(url: url, applicationName: "gateway-tests"), body)
}

extension Deployment {
    /// Runs `body` while every insert into a table fails.
    func whileRefusingInserts(into table: String, _ body: () async throws -> Void) async throws {
        _ = try await database.pool.withConnection { connection in
            try connection.executeScript(
                """
                create function refuse_for_a_test() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
                create trigger refuse_for_a_test before insert on \(table) for each statement execute function refuse_for_a_test();
                """)
        }
        try await body()
        _ = try await database.pool.withConnection { connection in
            try connection.executeScript("drop function refuse_for_a_test cascade")
        }
    }

    /// Runs `body` while the database accepts no new connection; open ones continue.
    func whileRefusingConnections(_ body: () async throws -> Void) async throws {
        try await allowConnections(false)
        do {
            try await body()
        } catch {
            try await allowConnections(true)
            throw error
        }
        try await allowConnections(true)
    }

    private func allowConnections(_ isAllowed: Bool) async throws {
        let statement: SQL = """
            update pg_database set datallowconn = \(isAllowed) where datname = current_database()
            """
        _ = try await database.pool.withConnection { try $0.execute(statement) }
    }
}
