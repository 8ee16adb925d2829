import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import OperatorAccess
import Operators

extension EventsCommand {
    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List deliveries, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "Only deliveries to this endpoint.") var endpoint: String?
        @Option(
            help: "waiting, delivered or dead.", transform: Word.one(of: ["waiting", "delivered", "dead"]))
        var state: String?
        @Option(help: "The maximum number of deliveries, 1 to 200.") var limit = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try Limit.require(limit, in: 1...200) }

        func run() async throws {
            let id = endpoint.flatMap { UUID(uuidString: $0) }
            guard endpoint == nil || id != nil else { throw ValidationError("\(endpoint ?? "") is not an id.") }
            try await Operator.serve(options, for: .records, about: .endpoint, named: endpoint) { services, actor in
                if let id {
                    let known = try await services.events.list(by: actor).compactMap { $0["id"]?.string }
                    guard known.contains(id.text) else { throw AdminRefusal.notFound }
                }
                let page = try await services.events.deliveries(
                    EventDesk.Filter(endpoint: id, state: state), before: nil, limit: limit, by: actor)
                output.write(
                    ["id", "endpoint", "type", "state", "occurred_at", "tries", "last_status", "last_error"],
                    page.deliveries)
            }
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replay the events of a period. Without a period: retry failed deliveries.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @Option(help: "The start, inclusive, such as 2026-07-31T09:00:00Z.", transform: Self.time) var from: Date?
        @Option(help: "The end, exclusive.", transform: Self.time) var to: Date?
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .endpoint) { services, actor in
                let count = try await services.events.replay(
                    endpoint: endpoint.id, from: from, to: to, because: why.reason(), by: actor)
                output.report("\(count) deliveries are tried again.", ["deliveries": .integer(count)])
            }
        }

        private static func time(_ text: String) throws -> Date {
            guard let time = try? Date(text, strategy: .iso8601) else {
                throw ValidationError("\(text) is not a time such as 2026-07-31T09:00:00Z.")
            }
            return time
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a test event to an endpoint and print its id.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var endpoint: Endpoint
        @OptionGroup var why: ReasonOption
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .records, about: .endpoint) { services, actor in
                let id = try await services.events.test(endpoint.id, because: why.reason(), by: actor)
                output.report(
                    "Queued the test event \(id). See: gateway events deliveries", ["delivery": .string(id)])
            }
        }
    }
}
