import Admin
import ArgumentParser
import Foundation
import Postgres
import Sessions

/// `gateway providers`: what is configured, how it has been doing, and what ends.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the configured providers.", subcommands: [List.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured providers with the sign-ins of a day, and what ends when.",
            discussion: """
                What a running server has seen of each (last failure, age of its keys) is in the console and in the \
                metrics. Behind the providers come secrets, keys and certificates, what ends first in front.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let since = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).newestActivation()
                let desk = try Operator.services(configuration, pool, signingSince: since).providers
                for provider in try await desk.list(by: .commandLine(requestID: Operator.requestID)) {
                    Console.write(
                        "\(provider.id)  \(provider.name)  sign-ins \(provider.signIns)  refused \(provider.refusals)  identities \(provider.identities)"
                    )
                }
                let now = try await DatabaseClock.now(of: pool)
                for credential in desk.credentials.all { Console.write(Self.line(credential, at: now)) }
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
