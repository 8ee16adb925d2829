import ArgumentParser
import Commands

/// The one binary: every command of the gateway.
@main
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "A login server: many sign-in methods, one account, its own sessions.",
        discussion: """
            Configured by environment variables or a .env file; docs/configuration.md lists the keys, and \
            check-configuration reports every error.

            A terminal gets tables with a head. Other readers get one line for each row, without a head, with tabs \
            between the cells. --json prints JSON instead.

            \(ExitStatus.help)
            """,
        version: "0.1.0",
        subcommands: [ServeCommand.self] + CommandList.all)

    static func main() async {
        await CommandEnd.run(Self.self, Array(CommandLine.arguments.dropFirst()))
    }
}
