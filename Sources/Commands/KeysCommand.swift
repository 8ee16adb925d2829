import ArgumentParser
import Clients
import Foundation
import GatewaySettings
import JSON
import Postgres
import Sessions

/// `gateway keys …`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List and rotate the keys that sign access tokens.",
        subcommands: [List.self, Rotate.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the published keys, newest first.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.run(options, for: .records) { configuration, pool in
                let keys = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).load()
                let now = try await DatabaseClock.now(of: pool)
                let sorted = keys.sorted {
                    ($0.activatesAt ?? .distantFuture) > ($1.activatesAt ?? .distantFuture)
                }
                output.write(
                    ["id", "algorithm", "state", "published_at", "in_use_from", "gone_from"],
                    sorted.map { key in
                        [
                            "id": .string(key.id), "algorithm": .string(key.algorithm.rawValue),
                            "state": .string(key.state(among: keys, at: now).rawValue),
                            "published_at": Self.time(key.publishedAt), "in_use_from": Self.time(key.activatesAt),
                            "gone_from": Self.time(key.retiresAt),
                        ]
                    })
            }
        }

        private static func time(_ date: Date?) -> JSON { date.map { .string($0.formatted(.iso8601)) } ?? .null }
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
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            if compromised {
                try consent.require("All access tokens of the current keys stop working.", of: "the rotation")
            } else if now {
                try consent.require(
                    "Back ends that cache the key set refuse new tokens, for up to 15 minutes.", of: "the rotation")
            }
            try await Operator.run(options, for: .records) { configuration, pool in
                let store = SigningKeyStore(pool: pool, keys: configuration.masterKeys)
                try await store.ensureKeys()
                let moment = try await store.rotate(
                    lead: now || compromised ? 0 : SigningKeys.publicationLead,
                    overlap: compromised ? nil : configuration.keyOverlap,
                    reason: compromised ? "compromised" : now ? "operator_now" : "operator",
                    requestID: Operator.requestID)
                let text = moment.formatted(.iso8601)
                let retired = compromised ? " The tokens of the retired keys stop working." : ""
                output.report("The next key is active from \(text).\(retired)", ["active_from": .string(text)])
            }
        }
    }
}
