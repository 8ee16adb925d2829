import JSON
import Postgres
import TestSupport

/// A client that asks something of its own of whoever signs up.
struct SigningUpClient: Sendable {
    /// As the database has them: `email`, `phone`, `user_name`.
    var names: [String]
    /// Name, kind, and whether it must be given.
    var attributes: [(String, String, Bool)] = []
    /// None for all.
    var providers: [String] = []

    /// Puts it into the gateway's database, and returns once its server has heard of it.
    func add(_ gateway: GatewayProcess) async throws -> String {
        let id = "asking-\(Fresh.text())"
        let asked = JSON.array(
            attributes.map { ["name": .string($0.0), "kind": .string($0.1), "required": .bool($0.2)] })
        let (names, providers) = (names, providers)
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, origins, redirect_uris, sign_up_names, attributes, providers)
                values (\(id), 'Duck Shop', '{}', '{http://127.0.0.1/back}', \(names), \(JSONText(asked.text)), \(providers))
                """)
        }
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }
}
