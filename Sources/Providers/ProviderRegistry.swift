/// The enabled providers.
package struct ProviderRegistry: Sendable {
    /// In the order of ``ProviderList/all``; of two with the same id the first counts.
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
    /// - Parameter upstream: gives each provider its own transport with its own circuit breaker.
    /// - Returns: the built providers, and every error. A server does not start with an error.
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

    /// Loads discovery documents and key sets of all providers at the same time.
    ///
    /// It never fails, and takes one provider's timeout at most.
    package func preload() async {
        await forEach { await $0.preload() }
    }

    /// Refreshes due documents of every provider; the server calls it periodically.
    package func refreshDue() async {
        await forEach { await $0.refreshDue() }
    }

    /// The providers with a capability.
    package func all<Capability>(_ capability: Capability.Type = Capability.self) -> [Capability] {
        all.compactMap { $0 as? Capability }
    }

    private func forEach(_ body: @escaping @Sendable (any KeepsDocuments) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for case let provider as any KeepsDocuments in all {
                group.addTask { await body(provider) }
            }
        }
    }

    /// Reports configured ids that are reserved, or that another provider has.
    private static func misnamed(_ configured: [ConfiguredProvider]) -> [ProviderConfigurationProblem] {
        let ids = configured.filter { $0.configuration is OpenIDConnectProvider.Configuration }.map(\.id.rawValue)
        return ids.enumerated().compactMap { index, id in
            guard ProviderList.reservedIDs.contains(id) || ids[..<index].contains(id) else { return nil }
            return ProviderConfigurationProblem(setting: "OIDC_PROVIDERS", reason: "\(id) is taken")
        }
    }
}
