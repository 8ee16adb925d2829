import Postgres

/// The template of the test databases: the whole schema, named by its content, so that test runs share it.
actor TemplateDatabase {
    static let shared = TemplateDatabase()

    private var making: Task<String, any Error>?

    /// Its name; the first caller makes it.
    func name(on server: PostgresConfiguration) async throws -> String {
        if let making { return try await making.value }
        let task = Task { try await Self.make(on: server) }
        making = task
        return try await task.value
    }

    private static func make(on server: PostgresConfiguration) async throws -> String {
        let texts = try Migrator.bundled().map { "\($0.file)\n\($0.sql)" }
        let content = (texts + (try Migrator.bundledFunctions().map { "\($0.path)\n\($0.sql)" })).joined(
            separator: "\n")
        return try await TestDatabase.onServer(server) { connection in
            let digest = try connection.queryOne("select md5(\(content))")?.value(0, as: String.self) ?? ""
            let name = "gateway_template_\(digest)"
            // One process makes it, the others wait: the lock ends with this connection.
            try connection.execute("select pg_advisory_lock(hashtext(\(name)))")
            let exists = try connection.queryOne("select from pg_database where datname = \(name)") != nil
            if !exists { try fill(name, server: server, connection) }
            return name
        }
    }

    /// Made under another name and renamed when complete, so that an incomplete one is never copied.
    private static func fill(
        _ name: String, server: PostgresConfiguration, _ connection: Connection
    ) throws {
        let draft = TestDatabase.randomName("gateway_draft")
        try connection.executeScript("create database \(draft) template template0")
        do {
            var configuration = server
            configuration.url = try ConnectionString.replacingDatabase(in: server.url, with: draft)
            _ = try SingleConnection.runBlocking(configuration) { try Migrator.ofThisProgram().migrate(on: $0) }
            try connection.executeScript("alter database \(draft) rename to \(name)")
        } catch {
            try? connection.executeScript("drop database if exists \(draft) with (force)")
            throw error
        }
    }
}
