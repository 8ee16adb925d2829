import ArgumentParser
import Clients
import Foundation
import GatewaySettings
import Postgres
import Sessions
import Telemetry

/// `gateway keys …`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List and rotate the keys that sign access tokens.",
        subcommands: [List.self, Rotate.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the published keys, newest first.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let keys = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).load()
                let now = try await DatabaseClock.now(of: pool)
                for key in keys.sorted(by: { ($0.activatesAt ?? .distantFuture) > ($1.activatesAt ?? .distantFuture) })
                {
                    Terminal.write(
                        "\(key.id)  \(key.algorithm.rawValue)  \(key.state(among: keys, at: now).rawValue)  published \(Self.text(key.publishedAt))"
                            + "  in use \(Self.text(key.activatesAt))  gone \(Self.text(key.retiresAt))"
                    )
                }
            }
        }

        private static func text(_ date: Date?) -> String { date.map { $0.formatted(.iso8601) } ?? "-" }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Activate the next key and publish a new next key.",
            discussion: """
                Backends cache our key set, so a key becomes active 15 minutes after its publication at the earliest. The \
                old key stays published until its last token has expired. Nobody is signed out.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Activate the next key in two seconds, regardless of its publication time.")
        var now = false

        @Flag(
            help: ArgumentHelp(
                "The current key has leaked: retire it immediately.",
                discussion: "All access tokens that it signed stop working. Apps continue with their refresh tokens."))
        var compromised = false

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let store = SigningKeyStore(pool: pool, keys: configuration.masterKeys)
                try await store.ensureKeys()
                let moment = try await store.rotate(
                    lead: now || compromised ? 0 : SigningKeys.publicationLead,
                    overlap: compromised ? nil : configuration.keyOverlap,
                    reason: compromised ? "compromised" : now ? "operator_now" : "operator",
                    requestID: Operator.requestID)
                Terminal.write("the next key is active from \(moment.formatted(.iso8601))")
            }
        }
    }
}
