import ArgumentParser
import Clients
import GatewaySettings
import HTTPServer
import JSON
import OperatorAccess
import Operators

/// `gateway clients …`: the apps that may call the gateway.
struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "List, add and change the apps that may call the gateway.",
        subcommands: [
            List.self, Agents.self, Show.self, Create.self, Change.self, ReplaceSecret.self, AccessKeys.self,
            IssueKey.self, RevokeKey.self, Apply.self, Export.self,
            ConvertAmplify.self, RehearseLinking.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the apps that operators added.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                output.write(["id", "name", "type", "disabled"], try await services.clients.list(by: actor))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a client, or print the configuration of Amplify or MSAL, or one of its APIs.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions
        @Argument(help: "The client's id, or the address of an agent's document.") var client: String
        @Flag var amplify: AmplifyForm?
        @Flag var msal: MSALForm?
        @Option(
            help: "The identifier of an API of the client: print the metadata for its server (RFC 9728) instead.")
        var resource: String?

        func validate() throws {
            guard [amplify != nil, msal != nil, resource != nil].count(where: \.self) <= 1 else {
                throw ValidationError("Choose one form of configuration.")
            }
        }

        func run() async throws {
            let isPlain = amplify == nil && msal == nil && resource == nil
            let use = isPlain ? SettingsUse.records : .messages
            try await Operator.run(options, for: use, about: .client, named: client) { configuration, pool in
                let services = try Operator.services(configuration, pool, for: use)
                let shown = try await services.clients.client(
                    ClientDocument.resolved(client), by: .commandLine(requestID: Operator.requestID))
                let publicURL = configuration.server.publicURL
                try amplify?.write(shown, publicURL: publicURL)
                try msal?.write(shown, publicURL: publicURL)
                if let resource { try Self.writeMetadata(of: resource, shown, publicURL: publicURL) }
                if isPlain { output.write(record: ClientDeclaration.ordered(shown)) }
            }
        }
    }

    struct RehearseLinking: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rehearse-linking",
            abstract: "Count the decisions of each linking policy for recent sign-ins.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Option(help: "The number of past days, 1 to 90.") var days = 30
        @OptionGroup var output: OutputOptions

        func validate() throws { try Limit.require(days, in: 1...90, of: "--days") }

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .client, named: client) { services, actor in
                _ = try await services.clients.client(client, by: actor)
                let outcomes = try await services.linking.outcomes(client: client, days: days, by: actor)
                output.write(
                    ["policy", "links", "asks", "new_accounts"],
                    outcomes.map { outcome in
                        [
                            "policy": .string(outcome.policy), "links": .integer(outcome.links),
                            "asks": .integer(outcome.asks), "new_accounts": .integer(outcome.newAccounts),
                        ]
                    })
            }
        }
    }
}
