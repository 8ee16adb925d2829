package import ArgumentParser

/// The commands of administrators, in the order of the help.
package enum CommandList {
    package static let all: [any ParsableCommand.Type] = [
        MigrateCommand.self, CheckConfigurationCommand.self, AccountsCommand.self, KeysCommand.self,
        SessionsCommand.self, ClientsCommand.self, ProvidersCommand.self, AuditCommand.self, AppleCommand.self,
        AdminCommand.self, EventsCommand.self, MessagesCommand.self, InitCommand.self, DoctorCommand.self,
        AttackCommand.self,
    ]
}
