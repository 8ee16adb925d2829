import Admin
import ArgumentParser

/// `gateway providers`: what is configured, and how it has been doing.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the configured providers with the sign-ins of a day.",
        discussion:
            "What a running server has seen of each (last failure, age of its keys) is in the console and in the metrics."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await Operator.serve(options) { services, actor in
            for provider in try await services.providers.list(by: actor) {
                Console.write(
                    "\(provider.id)  \(provider.name)  sign-ins \(provider.signIns)  refused \(provider.refusals)  identities \(provider.identities)"
                )
            }
        }
    }
}
