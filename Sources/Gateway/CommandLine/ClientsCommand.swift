import Admin
import ArgumentParser
import JSON
import Sessions

/// `gateway clients …`: the apps that may call the gateway.
struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "List, add and change the apps that may call the gateway.",
        subcommands: [
            List.self, Show.self, Create.self, Change.self, ReplaceSecret.self, Apply.self, Export.self,
            RehearseLinking.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the clients.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                for client in try await services.clients.list(by: actor) {
                    let state = client["disabled"]?.bool == true ? "  disabled" : ""
                    let type = client["type"]?.string ?? ""
                    Console.write("\(client["id"]?.string ?? "")  \(client["name"]?.string ?? "")  \(type)\(state)")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a client, as JSON.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                Console.write(try await services.clients.client(client, by: actor).text)
            }
        }
    }

    /// The settings of a client.
    ///
    /// Omitted settings stay unchanged.
    struct Settings: ParsableArguments {
        @Option(help: "The display name.") var name: String?
        @Option(help: "An allowed web origin. Repeatable; the list replaces the old one.")
        var origin: [String] = []
        @Option(help: "A redirect URI. Repeatable; replaces the old list.") var redirectURI: [String] = []
        @Option(help: "The id of an allowed provider. Repeatable; replaces the old list. None: all providers.")
        var provider: [String] =
            []
        @Option(
            help: "A permission of its sessions: account or administration. Repeatable; - removes all.")
        var audience: [String] = []
        @Option(
            help:
                "An accepted token audience, as provider:audience. Repeatable; replaces the old list. None: every configured audience."
        )
        var acceptedAudience: [String] = []
        @Option(help: "public or confidential.") var type: String?
        @Option(help: "both_verified or ask.") var linkingPolicy: String?
        @Option(help: "optional or required.") var secondFactor: String?
        @Option(help: "true or false: whether a sign-in without a credential makes an account.") var guests: Bool?
        @Option(help: "The lifetime of access tokens, in seconds.") var accessTokenSeconds: Int?
        @Option(help: "The idle timeout of sessions, in seconds.") var refreshIdleSeconds: Int?
        @Option(help: "The maximum lifetime of sessions, in seconds.") var refreshMaxSeconds: Int?
        @Option(
            help: "always, or relaxed: a refresh keeps the refresh token, for apps that cannot store a new one.")
        var refreshRotation: String?

        var members: JSONObject {
            var members: JSONObject = [:]
            members["name"] = name.map(JSON.string)
            members["type"] = type.map(JSON.string)
            members["linking_policy"] = linkingPolicy.map(JSON.string)
            members["second_factor"] = secondFactor.map(JSON.string)
            members["guests"] = guests.map(JSON.bool)
            members["access_token_seconds"] = accessTokenSeconds.map(JSON.integer)
            members["refresh_idle_seconds"] = refreshIdleSeconds.map(JSON.integer)
            members["refresh_max_seconds"] = refreshMaxSeconds.map(JSON.integer)
            members["refresh_rotation"] = refreshRotation.map(JSON.string)
            for (name, list) in [("origins", origin), ("redirect_uris", redirectURI), ("providers", provider)]
            where !list.isEmpty {
                members[name] = .array(list.map(JSON.string))
            }
            if !acceptedAudience.isEmpty { members["accepted_audiences"] = Self.byProvider(acceptedAudience) }
            if !audience.isEmpty {
                members["audiences"] = .array(audience.filter { $0 != "-" }.map(JSON.string))
            }
            return members
        }

        /// Groups values such as `apple:com.example.app` by provider.
        ///
        /// A value without a colon is a provider without audiences, which is refused.
        private static func byProvider(_ audiences: [String]) -> JSON {
            var object: JSONObject = [:]
            for text in audiences {
                let parts = text.split(separator: ":", maxSplits: 1)
                let provider = parts.first.map(String.init) ?? ""
                object[provider] = .array(
                    (object[provider]?.array ?? []) + parts.dropFirst().map { .string(String($0)) })
            }
            return .object(object)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a client.", discussion: "With --confidential, a secret is generated and printed once.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "The client is a server that authenticates with a secret.") var confidential = false
        @OptionGroup var settings: Settings
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard ClientID.isValid(client) else { throw ValidationError("\(client) is not a valid client id.") }
            var members = settings.members
            members["name"] = members["name"] ?? .string(client)
            try await Operator.serve(options, about: .client) { services, actor in
                let made = try await services.clients.create(
                    client, ClientChange(members), isConfidential: confidential, because: why.reason(), by: actor)
                Console.write(made.secret ?? made.client.text)
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a client.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @OptionGroup var settings: Settings
        @Flag(inversion: .prefixedEnableDisable, help: "Enable or disable the client.") var use: Bool?
        @OptionGroup var why: ReasonOption

        func run() async throws {
            var members = settings.members
            members["disabled"] = use.map { .bool(!$0) }
            try await Operator.serve(options, about: .client) { services, actor in
                let changed = try await services.clients.change(
                    client, ClientChange(members), because: why.reason(), by: actor)
                Console.write(changed.text)
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
                Console.write(made.secret)
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
                    Console.write(
                        "\(outcome.policy)  link \(outcome.links)  ask \(outcome.asks)  new account \(outcome.newAccounts)"
                    )
                }
            }
        }
    }
}
