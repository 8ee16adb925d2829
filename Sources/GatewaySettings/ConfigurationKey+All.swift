import HTTPServer
import Providers
package import Settings
import Telemetry

/// The tables of the reference that belong to no provider, besides those of the server and the log.
extension ConfigurationKey.Group {
    static let database = Self("Database")
    static let secrets = Self("Secrets at rest")
    static let client = Self("The first app", "put into the database at start")
    static let tokens = Self("Sessions and tokens")
    static let accounts = Self("Accounts")
    static let operators = Self("Operators", "docs/admin.md")
    static let claims = Self("Custom claims of the first app", "docs/webhooks.md")
    static let passwords = Self("Passwords")
    static let passkeys = Self("Passkeys", "the domain they belong to, and who may use them")
    static let challenges = Self("Custom challenges", "docs/webhooks.md")
    static let botChecks = Self("Bot checks", "docs/sign-in.md")
    static let agents = Self("Apps that register themselves", "AI agents: docs/start/mcp-server.md")
    static let linking = Self("Linking")
    static let delivery = Self("Mail")
    static let sms = Self("Text messages")
    static let throttles = Self("Throttles", "a burst at once, then a steady rate")
    static let providers = Self("Providers in general")
    static let audit = Self("Audit log")
}

extension ConfigurationKey {
    /// Every key, in the order of the reference.
    package static let all: [ConfigurationKey] =
        ServerConfiguration.keys + OperationsConfiguration.keys + DatabaseConfiguration.keys
        + GatewayConfiguration.secretKeys + FirstClientConfiguration.keys + TokenConfiguration.keys
        + AccountConfiguration.keys + OperatorConfiguration.keys
        + ClaimsConfiguration.keys
        + PasswordConfiguration.keys + PasskeyConfiguration.keys + ChallengeConfiguration.keys
        + BotCheckConfiguration.keys + AgentConfiguration.keys
        + GatewayConfiguration.linkingKeys + DeliveryConfiguration.keys
        + ThrottleConfiguration.keys + ProviderSettings.keys + ProviderList.all.flatMap(\.keys)
        + AuditConfiguration.keys
        + LoggingConfiguration.keys + TracesConfiguration.keys

    /// The groups of ``all`` in their order, each with its keys.
    static var groups: [(group: Group, keys: [ConfigurationKey])] {
        var titles: [String] = []
        for key in all where !titles.contains(key.group.title) { titles.append(key.group.title) }
        return titles.compactMap { title in
            let keys = all.filter { $0.group.title == title }
            return keys.first.map { ($0.group, keys) }
        }
    }
}
