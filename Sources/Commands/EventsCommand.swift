import ArgumentParser
import Foundation
import JSON
import Operators
import Telemetry

/// `gateway events …`: manages webhook endpoints.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List, add and change webhook endpoints.",
        subcommands: [
            List.self, Create.self, Change.self, Remove.self, ReplaceSecret.self, Deliveries.self, Replay.self,
            Test.self,
        ])

    /// An endpoint argument.
    struct Endpoint: ParsableArguments {
        @Argument(help: "The endpoint's id.") var endpoint: String

        var id: UUID {
            get throws {
                guard let id = UUID(uuidString: endpoint) else { throw ValidationError("\(endpoint) is not an id.") }
                return id
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the endpoints as JSON, one per line.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.serve(options, about: .endpoint) { services, actor in
                for endpoint in try await services.events.list(by: actor) { Terminal.write(endpoint.text) }
            }
        }
    }

    /// The settings of an endpoint.
    ///
    /// Omitted settings stay unchanged.
    struct Settings: ParsableArguments {
        @Option(
            help: "An event type. Repeatable; replaces the old list. None: every type.")
        var type: [String] = []
        @Option(help: "Only events of this app.") var client: String?

        var members: JSONObject {
            var members: JSONObject = [:]
            if !type.isEmpty { members["types"] = .array(type.map(JSON.string)) }
            members["client_id"] = client.map(JSON.string)
            return members
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an endpoint. Prints its id and, once, its secret.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The https URL that receives events.") var url: String
        @OptionGroup var settings: Settings
        @OptionGroup var why: ReasonOption

        func run() async throws {
            var members = settings.members
            members["url"] = .string(url)
            try await Operator.serve(options, about: .endpoint) { services, actor in
                let made = try await services.events.create(members, because: why.reason(), by: actor)
                Terminal.write("\(made.endpoint["id"]?.string ?? "")  \(made.secret)")
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change an endpoint.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @Option(help: "The https URL that receives events.") var url: String?
        @OptionGroup var settings: Settings
        @Flag(inversion: .prefixedEnableDisable, help: "Enable or disable the endpoint.") var use: Bool?
        @OptionGroup var why: ReasonOption

        func run() async throws {
            var members = settings.members
            members["url"] = url.map(JSON.string)
            members["disabled"] = use.map { .bool(!$0) }
            try await Operator.serve(options, about: .endpoint) { services, actor in
                let changed = try await services.events.change(
                    endpoint.id, members, because: why.reason(), by: actor)
                Terminal.write(changed.text)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an endpoint and its pending deliveries.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .endpoint) { services, actor in
                try await services.events.remove(endpoint.id, because: why.reason(), by: actor)
            }
        }
    }

    struct ReplaceSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace-secret",
            abstract: "Replace the secret of an endpoint. The new one is printed once; both sign for a day.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @OptionGroup var why: ReasonOption

        func run() async throws {
            try await Operator.serve(options, about: .endpoint) { services, actor in
                let made = try await services.events.replaceSecret(endpoint.id, because: why.reason(), by: actor)
                Terminal.write(made.secret)
            }
        }
    }
}
