import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import OperatorAccess
import Postgres
import Sessions

/// `gateway sessions …`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "End many sessions at once.", subcommands: [Revoke.self])

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End all sessions that began before a time.",
            discussion: """
                Use it after a leak, or after restoring a backup, which revives ended sessions. Refresh tokens stop \
                working immediately, access tokens within a second at the gateway. Backends that check only the \
                signature accept an access token until it expires.

                Sessions end in batches of some thousands. To resume a stopped run, use the same command. With 'now' it \
                also ends sessions that began since.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "End sessions that began before this time: 2026-07-31T09:05:00Z, or 'now'.")
        var issuedBefore: String

        @Option(help: "Only sessions of the app with this client id.")
        var client: String?

        @Option(help: "The reason, for the audit log.")
        var reason: String

        @Flag(help: "Only count the sessions.")
        var dryRun = false

        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard issuedBefore == "now" || moment != nil else {
                throw ValidationError("--issued-before takes a time such as 2026-07-31T09:05:00Z, or 'now'.")
            }
        }

        /// Nil for `now`: the database clock decides.
        private var moment: Date? { try? Date(issuedBefore, strategy: .iso8601) }

        func run() async throws {
            try await Operator.run(options, for: .database, about: .client, named: client) { _, pool in
                if let client { try await Self.requireClient(client, pool) }
                let moment = if let moment { moment } else { try await DatabaseClock.now(of: pool) }
                let revocation = SessionRevocation(pool: pool)
                if dryRun || !consent.isGiven {
                    let count = try await revocation.count(issuedBefore: moment, client: client)
                    if dryRun { return report(count, "would end") }
                    try consent.require("Sessions that end: \(count).", of: client ?? "the sessions of all apps")
                }
                report(try await revoke(revocation, moment), "ended")
            }
        }

        private func report(_ count: Int, _ verb: String) {
            output.report("\(count) sessions \(verb).", ["sessions": .integer(count)])
        }

        private static func requireClient(_ id: String, _ pool: ConnectionPool) async throws {
            let isKnown: Bool? = try await pool.withConnection { connection in
                try connection.queryOne("select exists (select from clients where id = \(id))")?.value(0)
            }
            guard isKnown == true else { throw AdminRefusal.notFound }
        }

        private func revoke(_ revocation: SessionRevocation, _ moment: Date) async throws -> Int {
            let order = SessionRevocation.Order(
                issuedBefore: moment, client: client, reason: reason, requestID: Operator.requestID)
            var bar = ProgressBar("sessions checked")
            defer { bar.end() }
            return try await revocation.revoke(order) { looked, total in
                if total > 0 { bar.show(looked, of: total) }
            }
        }
    }
}
