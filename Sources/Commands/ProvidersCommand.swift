import ArgumentParser
import Foundation
import GatewaySettings
import OperatorAccess
import Operators
import Postgres
import Sessions
import Telemetry

/// `gateway providers`: configured providers, their sign-ins, and expiring credentials.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the configured providers.", subcommands: [List.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured providers, their sign-ins of the last day, and expiry times.",
            discussion: """
                The console and the metrics show live state (last failure, age of keys). After the providers, the command \
                lists secrets, keys and certificates, soonest expiry first.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let since = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).newestActivation()
                let desk = try Operator.services(configuration, pool, signingSince: since).providers
                for provider in try await desk.list(by: .commandLine(requestID: Operator.requestID)) {
                    Terminal.write(
                        "\(provider.id)  \(provider.name)  sign-ins \(provider.signIns)  refused \(provider.refusals)  identities \(provider.identities)"
                    )
                }
                let now = try await DatabaseClock.now(of: pool)
                for credential in desk.credentials.all { Terminal.write(Self.line(credential, at: now)) }
            }
        }

        private static func line(_ credential: ExpiringCredential, at now: Date) -> String {
            [
                credential.name, credential.state(at: now).rawValue,
                credential.expires.map { "until \(RFC3339.text($0))" }, credential.note,
            ].compactMap { $0 }.joined(separator: "  ")
        }
    }
}
