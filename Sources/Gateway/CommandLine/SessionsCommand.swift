import ArgumentParser
import Foundation
import Postgres
import Sessions

/// `gateway sessions …`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "End many sessions at once.", subcommands: [Revoke.self])

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End the sessions that began before a moment.",
            discussion: """
                For a leak, and after a backup was restored: it opens again what was ended since. Refresh tokens stop \
                working at once, access tokens within a second at the gateway; backends that only look at the signature \
                believe an access token until it runs out.

                They end some thousands at a time. Stopped at any moment, the same command goes on; with 'now' it ends \
                what has begun since, too.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "Sessions that began before it end: 2026-07-31T09:05:00Z, or 'now'.")
        var issuedBefore: String

        @Option(help: "Only those of this app, by its client id.")
        var client: String?

        @Option(help: "Why, for the audit log.")
        var reason: String

        @Flag(help: "Only say how many it would be.")
        var dryRun = false

        func validate() throws {
            guard issuedBefore == "now" || moment != nil else {
                throw ValidationError("--issued-before takes a time such as 2026-07-31T09:05:00Z, or 'now'.")
            }
        }

        /// Nil for `now`, which the database's clock tells.
        private var moment: Date? { try? Date(issuedBefore, strategy: .iso8601) }

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let moment = if let moment { moment } else { try await DatabaseClock.now(of: pool) }
                let revocation = SessionRevocation(pool: pool)
                if dryRun {
                    let count = try await revocation.count(issuedBefore: moment, client: client)
                    Console.write("\(count) sessions would end")
                } else {
                    let count = try await revoke(revocation, moment)
                    Console.write("\(count) sessions ended")
                }
            }
        }

        private func revoke(_ revocation: SessionRevocation, _ moment: Date) async throws -> Int {
            let order = SessionRevocation.Order(
                issuedBefore: moment, client: client, reason: reason, requestID: Operator.requestID)
            var bar = ProgressBar("sessions looked at")
            defer { bar.end() }
            return try await revocation.revoke(order) { looked, total in
                if total > 0 { bar.show(looked, of: total) }
            }
        }
    }
}
