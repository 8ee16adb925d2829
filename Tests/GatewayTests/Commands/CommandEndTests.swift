import ArgumentParser
import Testing

@testable import Commands
@testable import Gateway

/// What a command prints that does not run.
@Suite("Help and wrong arguments")
struct CommandEndTests {
    /// The path of each command, without the program.
    private static let commands: [(path: [String], type: any ParsableCommand.Type)] =
        GatewayCommand.configuration.subcommands.flatMap {
            group -> [(path: [String], type: any ParsableCommand.Type)] in
            let below = group.configuration.subcommands
            return below.isEmpty
                ? [([group._commandName], group)]
                : below.map { ([group._commandName, $0._commandName], $0) }
        }

    private static func text(_ arguments: [String]) async throws -> String {
        let error = await #expect(throws: (any Error).self) {
            // The help of the program itself is a command.
            var command = try await GatewayCommand.asyncParseAsRoot(arguments)
            try command.run()
        }
        return CommandEnd.text(for: try #require(error), of: GatewayCommand.self, arguments)
    }

    @Test("the help of every command states the exit statuses once")
    func statuses() async throws {
        #expect(Self.commands.count > 60)
        for path in [[]] + Self.commands.map(\.path) {
            let help = try await Self.text(path + ["--help"])
            #expect(help.ranges(of: "EXIT STATUS:").count == 1, "\(path)")
            #expect(help.contains("64  Wrong arguments"), "\(path)")
        }
    }

    @Test("only a help has the exit statuses")
    func others() async throws {
        for arguments in [["--version"], ["--generate-completion-script", "bash"], ["--experimental-dump-help"]] {
            let text = try await Self.text(arguments)
            #expect(!text.hasSuffix(ExitStatus.help), "\(arguments)")
        }
    }

    @Test("every command has --json, except those that print a document")
    func json() {
        let documents: Set = ["serve", "init", "accounts export", "audit export", "clients convert-amplify"]
        let without = Self.commands.filter { !GatewayCommand.helpMessage(for: $0.type).contains("--json") }
        #expect(Set(without.map { $0.path.joined(separator: " ") }) == documents)
    }

    @Test(
        "an unknown word is named, with the nearest one",
        arguments: [
            (["clinets"], "Error: gateway has no command 'clinets'. Did you mean 'clients'?\nUsage: gateway"),
            (["clients", "lst"], "Error: gateway clients has no command 'lst'. Did you mean 'list'?\nUsage: "),
            (["audit", "frobnicate", "x"], "Error: gateway audit has no command 'frobnicate'.\nUsage: "),
            (["providers", "credential"], "has no command 'credential'. Did you mean 'credentials'?"),
            (["clients", "list", "--jsno"], "Unknown option '--jsno'. Did you mean '--json'?"),
            (
                ["admin", "grant", "ann@example.org", "--role", "vewer"],
                "choose viewer, support, admin or owner. Did you mean 'viewer'?"
            ),
            (["events", "deliveries", "--state", "deda"], "choose waiting, delivered or dead. Did you mean 'dead'?"),
            (["audit", "list", "--outcome", "dnoe"], "choose done or refused. Did you mean 'done'?"),
        ])
    func suggestions(arguments: [String], expected: String) async throws {
        let text = try await Self.text(arguments)
        #expect(text.contains(expected), "\(text)")
    }

    @Test("an argument too many is no unknown command")
    func extraArgument() async throws {
        #expect(try await Self.text(["clients", "list", "shop"]).hasPrefix("Error: Unexpected argument 'shop'"))
    }
}
