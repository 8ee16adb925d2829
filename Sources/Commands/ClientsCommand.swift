import ArgumentParser
import Clients
import GatewaySettings
import HTTPServer
import JSON
import OperatorAccess
import Operators
import Telemetry

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

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                for client in try await services.clients.list(by: actor) {
                    let state = client["disabled"]?.bool == true ? "  disabled" : ""
                    let type = client["type"]?.string ?? ""
                    Terminal.write("\(client["id"]?.string ?? "")  \(client["name"]?.string ?? "")  \(type)\(state)")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a client, as JSON or as the configuration of Amplify or MSAL, or one of its APIs.")

        @OptionGroup var options: ConfigurationOptions
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
            try await Operator.run(options, about: .client) { configuration, pool in
                let services = try Operator.services(configuration, pool)
                let shown = try await services.clients.client(
                    ClientDocument.resolved(client), by: .commandLine(requestID: Operator.requestID))
                let publicURL = configuration.server.publicURL
                try amplify?.write(shown, publicURL: publicURL)
                try msal?.write(shown, publicURL: publicURL)
                if let resource { try Self.writeMetadata(of: resource, shown, publicURL: publicURL) }
                if amplify == nil, msal == nil, resource == nil { Terminal.write(shown.text) }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a client.",
            discussion: """
                Every --provider is a sign-in method that the app offers; at least one is required, or - for none. With \
                --confidential, a secret is generated and printed once.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "The client is a server that authenticates with a secret.") var confidential = false
        @OptionGroup var settings: Settings
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard ClientID.isValid(client) else { throw ValidationError("\(client) is not a valid client id.") }
            var members = try settings.members()
            members["name"] = members["name"] ?? .string(client)
            try await Operator.serve(options, about: .client) { services, actor in
                let made = try await services.clients.create(
                    client, ClientChange(members), isConfidential: confidential, because: why.reason(), by: actor)
                Terminal.write(made.secret ?? made.client.text)
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a client.",
            discussion: """
                --disable-use ends its sessions within a second. Of an agent it also voids what users granted, so \
                they are asked again after --enable-use.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id, or the address of an agent's document.") var client: String
        @OptionGroup var settings: Settings
        @Flag(inversion: .prefixedEnableDisable, help: "Enable or disable the client.") var use: Bool?
        @OptionGroup var why: ReasonOption

        func run() async throws {
            var members = try settings.members()
            members["disabled"] = use.map { .bool(!$0) }
            let (asked, client) = (members, ClientDocument.resolved(self.client))
            try await Operator.serve(options, about: .client) { services, actor in
                var members = asked
                for name in ["dialects", "openid"] {
                    guard let sent = asked[name]?.object, !sent.members.isEmpty else { continue }
                    let held = try await services.clients.client(client, by: actor)[name]?.object
                    members[name] = .object(Settings.merged(sent, besides: held ?? [:]))
                }
                let changed = try await services.clients.change(
                    client, ClientChange(members), because: why.reason(), by: actor)
                Terminal.write(changed.text)
            }
        }
    }

    struct ReplaceSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace-secret",
            abstract: "Replace the secret of a client. The new one is printed once; the old one stops working.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "Keep the secret sealed instead of its digest, for protocols that use it as the key of an HMAC.")
        var sealed = false
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                let made = try await services.clients.replaceSecret(
                    client, kept: sealed ? .sealed : .digest, because: why.reason(), by: actor)
                Terminal.write(made.secret)
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

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                for outcome in try await services.linking.outcomes(client: client, days: days, by: actor) {
                    Terminal.write(
                        "\(outcome.policy)  link \(outcome.links)  ask \(outcome.asks)  new account \(outcome.newAccounts)"
                    )
                }
            }
        }
    }
}
