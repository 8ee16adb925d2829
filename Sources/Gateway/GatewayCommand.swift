import ArgumentParser

/// The one binary: every command of the gateway.
@main
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "A login server: many ways in, one account, sessions of its own.",
        discussion: """
            Configured by environment variables or a .env file; docs/configuration.md lists the keys, and \
            check-configuration says what is wrong. Ends with 78 for a wrong configuration, 69 when something needed \
            isn't there, 73 when a file can't be made, 1 for other failures.
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, MigrateCommand.self, CheckConfigurationCommand.self, AccountsCommand.self,
            KeysCommand.self, SessionsCommand.self, ClientsCommand.self, ProvidersCommand.self, AuditCommand.self,
            AppleCommand.self, AdminCommand.self, EventsCommand.self,
        ])
}
