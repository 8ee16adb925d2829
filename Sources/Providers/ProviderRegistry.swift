/// The providers that are on.
package struct ProviderRegistry: Sendable {
    /// In the order of ``ProviderList/all``; of two with one id the first counts.
    package let all: [any IdentityProvider]
    private let byID: [ProviderID: any IdentityProvider]

    package init(_ providers: [any IdentityProvider]) {
        all = providers
        byID = Dictionary(providers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(id: ProviderID) -> (any IdentityProvider)? {
        byID[id]
    }

    /// Builds every configured provider.
    ///
    /// - Parameter upstream: gives each provider its own way to the network: a transport behind a circuit of its own.
    /// - Returns: what could be built, and every complaint. A server doesn't start with a complaint.
    package static func build(
        _ configured: [ConfiguredProvider], upstream: (ProviderID) -> Upstream
    ) -> (registry: ProviderRegistry, problems: [ProviderConfigurationProblem]) {
        var providers: [any IdentityProvider] = []
        var problems = misnamed(configured)
        for one in configured {
            do {
                providers.append(try one.build(upstream(one.id)))
            } catch {
                problems.append(error)
            }
        }
        return (ProviderRegistry(providers), problems)
    }

    /// Warms discovery and key sets of all providers at once.
    ///
    /// Never fails, and takes one provider's timeout at most.
    package func preload() async {
        await forEach { await $0.preload() }
    }

    /// Refreshes what is due at every provider; called now and then by whoever runs the server.
    package func refreshDue() async {
        await forEach { await $0.refreshDue() }
    }

    /// The providers that can do something, by what they can do.
    package func all<Capability>(_ capability: Capability.Type = Capability.self) -> [Capability] {
        all.compactMap { $0 as? Capability }
    }

    /// How each provider that keeps a record of it has been doing.
    package func health() -> [(id: ProviderID, health: ProviderHealth.Snapshot)] {
        all.compactMap { provider in (provider as? any ReportsHealth).map { (provider.id, $0.health.snapshot) } }
    }

    private func forEach(_ body: @escaping @Sendable (any KeepsDocuments) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for case let provider as any KeepsDocuments in all {
                group.addTask { await body(provider) }
            }
        }
    }

    /// Ids of the settings that are reserved, or that another provider has.
    private static func misnamed(_ configured: [ConfiguredProvider]) -> [ProviderConfigurationProblem] {
        let ids = configured.filter { $0.configuration is OpenIDConnectProvider.Configuration }.map(\.id.rawValue)
        return ids.enumerated().compactMap { index, id in
            guard ProviderList.reservedIDs.contains(id) || ids[..<index].contains(id) else { return nil }
            return ProviderConfigurationProblem(setting: "OIDC_PROVIDERS", reason: "\(id) is taken")
        }
    }
}
