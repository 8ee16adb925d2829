import ArgumentParser
import Clients
import JSON
import Operators
import Telemetry

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
        @Flag(help: "Print JSON, one app per line.") var json = false

        func run() async throws {
            let after = cursor.map { AgentCursor($0) }
            if case .some(nil) = after {
                throw ValidationError("--cursor takes a cursor that an earlier page printed.")
            }
            try await Operator.serve(options, about: .client) { services, actor in
                let page = try await services.clients.agents(text, after: after ?? nil, limit: limit, by: actor)
                for line in json ? page.clients.map(\.text) : AgentTable.lines(page.clients) { Terminal.write(line) }
                if let next = page.next, !json { Terminal.write("More: --cursor \(next)") }
            }
        }
    }
}

/// Agents as a table of terminal output.
enum AgentTable {
    private static let head = ["LAST USE", "ACCOUNTS", "STATE", "ORIGIN", "HOST", "NAME", "ID"]

    /// The lines with their head; none without agents.
    static func lines(_ agents: [JSON]) -> [String] {
        guard !agents.isEmpty else { return [] }
        let rows = [head] + agents.map(row)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            // The last column has lengths of its own.
            return (cells.dropLast() + row.suffix(1)).joined(separator: "  ")
        }
    }

    private static func row(_ client: JSON) -> [String] {
        let (id, agent) = (client["id"]?.string ?? "", client["agent"])
        return [
            agent?["last_used_at"]?.string ?? "-", "\(agent?["accounts"]?.integer ?? 0)", state(client), origin(client),
            agent?["host"]?.string ?? "-", client["name"]?.string ?? "-", agent?["document"]?.string ?? id,
        ]
    }

    private static func state(_ client: JSON) -> String {
        if client["agent"]?["withdrawn"] == true { return "withdrawn" }
        return client["disabled"] == true ? "disabled" : "active"
    }

    private static func origin(_ client: JSON) -> String {
        client["agent"]?["invited"] == true ? "initial token" : client["origin"]?.string ?? "-"
    }
}
