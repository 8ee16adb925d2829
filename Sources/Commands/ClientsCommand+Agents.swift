import ArgumentParser
import Clients
import GatewaySettings
import JSON
import Operators

extension ClientsCommand {
    /// `gateway clients agents`.
    struct Agents: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the apps that no operator added, such as AI agents, with their last use.",
            discussion: """
                They came by a document at an address, or registered themselves. The newest last use comes first. \
                Revoke one with `gateway clients change ID --disable-use`.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "A part of the name, the host or the id. Default: all.") var text = ""
        @Option(help: "The maximum number of results, 1 to 100.") var limit = 25
        @Option(help: "The cursor of the next page.") var cursor: String?
        @OptionGroup var output: OutputOptions

        func validate() throws { try Limit.require(limit, in: 1...100) }

        func run() async throws {
            let after = cursor.map { AgentCursor($0) }
            if case .some(nil) = after {
                throw ValidationError("--cursor takes a cursor that an earlier page printed.")
            }
            try await Operator.serve(options, for: .records) { services, actor in
                let page = try await services.clients.agents(text, after: after ?? nil, limit: limit, by: actor)
                output.write(Self.columns, output.json ? page.clients : page.clients.map(Self.row))
                output.offer(next: page.next.map { "\($0)" })
            }
        }
    }
}

extension ClientsCommand.Agents {
    private static let columns = ["last_use", "accounts", "state", "origin", "host", "name", "id"]

    /// A row of the table; JSON has the whole app.
    private static func row(_ client: JSON) -> JSON {
        let agent = client["agent"]
        return [
            "last_use": agent?["last_used_at"] ?? .null, "accounts": agent?["accounts"] ?? 0,
            "state": .string(state(client)),
            "origin": agent?["invited"] == true ? "initial token" : client["origin"] ?? .null,
            "host": agent?["host"] ?? .null, "name": client["name"] ?? .null,
            "id": (agent?["document"]?.string).map(JSON.string) ?? client["id"] ?? .null,
        ]
    }

    private static func state(_ client: JSON) -> String {
        if client["agent"]?["withdrawn"] == true { return "withdrawn" }
        return client["disabled"] == true ? "disabled" : "active"
    }
}
