import Providers
import ServiceLifecycle
import Vocabulary

/// Refreshes the providers' discovery documents and keys before a request needs them.
struct ProviderUpkeep: Service {
    let providers: ProviderRegistry

    func run() async throws {
        await providers.preload()
        try await repeatUntilShutdown(every: .seconds(30)) { await providers.refreshDue() }
    }
}
