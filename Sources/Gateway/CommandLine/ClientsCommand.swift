import Admin
import ArgumentParser
import JSON

/// `gateway clients …`: the apps that may call the gateway.
struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "List, add and change the apps that may call the gateway.",
        subcommands: [List.self, Show.self, Create.self, Change.self, ReplaceSecret.self, RehearseLinking.self])

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

    /// What can be said of a client; what isn't said stays as it is.
    struct Settings: ParsableArguments {
        @Option(help: "The name, for people.") var name: String?
        @Option(help: "A web origin that may call; may come several times, and all that are meant must come.")
        var origin: [String] = []
        @Option(help: "A redirect address; likewise.") var redirectURI: [String] = []
        @Option(help: "The id of a provider that it may use; likewise; none means every one.") var provider: [String] =
            []
        @Option(
            help: "account (its sessions may manage the person's account) or administration; likewise; - for none.")
        var audience: [String] = []
        @Option(help: "provider:audience, which a token of that provider must have; likewise; none means every one.")
        var acceptedAudience: [String] = []
        @Option(help: "public or confidential.") var type: String?
        @Option(help: "both_verified or ask.") var linkingPolicy: String?
        @Option(help: "optional or required.") var secondFactor: String?
        @Option(help: "The life of access tokens, in seconds.") var accessTokenSeconds: Int?
        @Option(help: "How long a session may be unused, in seconds.") var refreshIdleSeconds: Int?
        @Option(help: "How long a session may last, in seconds.") var refreshMaxSeconds: Int?

        var members: JSONObject {
            var members: JSONObject = [:]
            members["name"] = name.map(JSON.string)
            members["type"] = type.map(JSON.string)
            members["linking_policy"] = linkingPolicy.map(JSON.string)
            members["second_factor"] = secondFactor.map(JSON.string)
            members["access_token_seconds"] = accessTokenSeconds.map(JSON.integer)
            members["refresh_idle_seconds"] = refreshIdleSeconds.map(JSON.integer)
            members["refresh_max_seconds"] = refreshMaxSeconds.map(JSON.integer)
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

        /// `apple:com.example.app` and the like; what has no colon is refused as a provider without audiences.
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
            abstract: "Add a client.", discussion: "With --confidential a secret is made, and printed this once.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Flag(help: "It is a server that keeps a secret, and proves itself by it.") var confidential = false
        @OptionGroup var settings: Settings
        @OptionGroup var why: ReasonOption

        func run() async throws {
            guard ClientID.isValid(client) else { throw ValidationError("\(client) can't be the id of a client.") }
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
        @Flag(inversion: .prefixedEnableDisable, help: "Whether it may be used.") var use: Bool?
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
            abstract: "Give a client another secret, printed this once; the one before is good no longer.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .client) { services, actor in
                let made = try await services.clients.replaceSecret(client, because: why.reason(), by: actor)
                Console.write(made.secret)
            }
        }
    }

    struct RehearseLinking: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rehearse-linking",
            abstract: "Count what each linking policy would have answered to the sign-ins of late.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The client's id.") var client: String
        @Option(help: "How many days back, 1 to 90.") var days = 30

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
