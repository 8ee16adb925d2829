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
            check-configuration reports every error. Exit status: 78 for a wrong configuration, 69 if the database is \
            unreachable, 73 if a file cannot be created, 1 for other failures.
            """,
        version: "0.1.0",
        subcommands: [ServeCommand.self] + CommandList.all)
}
