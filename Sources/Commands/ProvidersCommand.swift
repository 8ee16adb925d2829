import ArgumentParser
import GatewaySettings
import JSON
import Operators
import Postgres
import Sessions
import Telemetry

/// `gateway providers …`: configured providers, their sign-ins, and expiring credentials.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the configured providers, and what expires.",
        subcommands: [List.self, Credentials.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the configured providers, and their sign-ins of the last day.",
            discussion: "The console and the metrics show live state (last failure, age of keys).")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.serve(options, for: .signInMethods) { services, actor in
                let providers = try await services.providers.list(by: actor)
                output.write(
                    ["id", "name", "sign_ins", "refused", "identities"],
                    providers.map { provider in
                        [
                            "id": .string(provider.id), "name": .string(provider.name),
                            "sign_ins": .integer(provider.signIns), "refused": .integer(provider.refusals),
                            "identities": .integer(provider.identities),
                        ]
                    })
            }
        }
    }

    struct Credentials: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List secrets, keys and certificates with their expiry, soonest first.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let since = try await SigningKeyStore(pool: pool, keys: configuration.masterKeys).newestActivation()
                let credentials = try Operator.services(configuration, pool, signingSince: since).providers.credentials
                let now = try await DatabaseClock.now(of: pool)
                output.write(
                    ["name", "state", "expires_at", "note"],
                    credentials.all.map { credential in
                        [
                            "name": .string(credential.name), "state": .string(credential.state(at: now).rawValue),
                            "expires_at": credential.expires.map { .string(RFC3339.text($0)) } ?? .null,
                            "note": credential.note.map(JSON.string) ?? .null,
                        ]
                    })
            }
        }
    }
}
