import JSON
import Postgres
import TestSupport

/// A client with its own requirements for sign-up.
struct SigningUpClient: Sendable {
    /// In the database's form: `email`, `phone`, `user_name`.
    var names: [String]
    /// Name, kind, and whether it is required.
    var attributes: [(String, String, Bool)] = []
    /// Empty for those of the first app.
    var providers: [String] = []

    /// Stores it in the gateway's database, and returns after its server has loaded it.
    func add(_ gateway: GatewayProcess) async throws -> String {
        let id = "asking-\(Fresh.text())"
        let asked = JSON.array(
            attributes.map { ["name": .string($0.0), "kind": .string($0.1), "required": .bool($0.2)] })
        let (names, providers) = (names, providers)
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, origins, redirect_uris, sign_up_names, attributes, providers)
                values (\(id), 'Duck Shop', '{}', '{http://127.0.0.1/back}', \(names), \(JSONText(asked.text)),
                        coalesce(nullif(\(providers)::text[], '{}'), (select providers from clients where id = 'app')))
                """)
        }
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }
}
