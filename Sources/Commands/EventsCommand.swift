import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import OperatorAccess
import Operators

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
        static let configuration = CommandConfiguration(abstract: "List the endpoints.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                output.write(
                    ["id", "url", "types", "client_id", "disabled", "failing_since"],
                    try await services.events.list(by: actor))
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an endpoint. Prints its id and, once, its secret.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The https URL that receives events.") var url: String
        @OptionGroup var lists: ListOptions<NewEndpointLists>
        @Option(help: "Only events of this app.") var client: String?
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            var members = try lists.members(of: [:])
            (members["url"], members["client_id"]) = (.string(url), client.map(JSON.string))
            try await Operator.serve(options, for: .signInMethods, about: .endpoint) { services, actor in
                let made = try await services.events.create(members, because: why.reason(), by: actor)
                output.write(record: ["id": made.endpoint["id"] ?? .null, "secret": .string(made.secret)])
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change an endpoint.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @Option(help: "The https URL that receives events.") var url: String?
        @OptionGroup var lists: ListOptions<EndpointLists>
        @Option(help: "Only events of this app.") var client: String?
        @Flag(inversion: .prefixedEnableDisable, help: "Enable or disable the endpoint.") var use: Bool?
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .signInMethods, about: .endpoint) { services, actor in
                let id = try endpoint.id
                let held = try await services.events.list(by: actor).first { $0["id"]?.string == id.text }
                guard let held else { throw AdminRefusal.notFound }
                var members = try lists.members(of: held)
                (members["url"], members["client_id"]) = (url.map(JSON.string), client.map(JSON.string))
                members["disabled"] = use.map { .bool(!$0) }
                let changed = try await services.events.change(
                    id, members, expecting: members.held(by: held), because: why.reason(), by: actor)
                output.report(Difference.lines(of: id.text, held, changed).joined(separator: "\n"), changed)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an endpoint and its pending deliveries.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let id = try endpoint.id.text
            try consent.require("The endpoint gets nothing more, and its pending deliveries are deleted.", of: id)
            try await Operator.serve(options, for: .records, about: .endpoint) { services, actor in
                try await services.events.remove(endpoint.id, because: why.reason(), by: actor)
                output.report("Removed the endpoint \(id) and its pending deliveries.", ["id": .string(id)])
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
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .endpoint) { services, actor in
                let made = try await services.events.replaceSecret(endpoint.id, because: why.reason(), by: actor)
                output.write(record: ["id": made.endpoint["id"] ?? .null, "secret": .string(made.secret)])
            }
        }
    }
}
