/// The providers that are on.
///
/// Adding a kind of provider is one line in ``factories``.
package struct ProviderRegistry: Sendable {
    private typealias Problem = ProviderConfigurationProblem
    private typealias Made = Result<any IdentityProvider, Problem>
    private typealias Factory = @Sendable (ProvidersConfiguration, (ProviderID) -> Upstream) -> [Made]

    /// THE LIST: what is configured → what is built.
    private static let factories: [Factory] = [
        { on, far in make(on.apple) { one throws(Problem) in try AppleProvider(one, upstream: far(.apple)) } },
        { on, far in make(on.amazon) { one throws(Problem) in try AmazonProvider(one, upstream: far(.amazon)) } },
        { on, far in make(on.cognito) { one throws(Problem) in try CognitoProvider(one, upstream: far(.cognito)) } },
        { on, far in make(on.github) { one throws(Problem) in try GitHubProvider(one, upstream: far(.github)) } },
        { on, far in
            make(on.microsoft) { one throws(Problem) in try MicrosoftProvider(one, upstream: far(.microsoft)) }
        },
        { on, far in
            on.openIDConnect.flatMap { configured in
                make(configured) { one throws(Problem) in try OpenIDConnectProvider(one, upstream: far(one.id)) }
            }
        },
    ]

    /// Words that mean something else where a provider is named.
    private static let reserved: Set<String> = [
        "apple", "amazon", "microsoft", "cognito", "github", "password", "email_otp", "sms_otp", "passkey",
    ]

    /// In the order of ``factories``; of two with one id the first counts.
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
    /// - Parameter upstream: gives each provider its own far side: a transport behind a circuit of its own.
    /// - Returns: what could be built, and every complaint. A server doesn't start with a complaint.
    package static func build(
        _ configuration: ProvidersConfiguration, upstream: (ProviderID) -> Upstream
    ) -> (registry: ProviderRegistry, problems: [ProviderConfigurationProblem]) {
        var providers: [any IdentityProvider] = []
        var problems = misnamed(configuration.openIDConnect.map(\.id.rawValue))
        for made in factories.flatMap({ $0(configuration, upstream) }) {
            switch made {
            case .success(let provider): providers.append(provider)
            case .failure(let problem): problems.append(problem)
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

    private static func make<C>(
        _ configuration: C?, by build: (C) throws(ProviderConfigurationProblem) -> any IdentityProvider
    ) -> [Made] {
        guard let configuration else { return [] }
        do {
            return [.success(try build(configuration))]
        } catch {
            return [.failure(error)]
        }
    }

    private static func misnamed(_ ids: [String]) -> [ProviderConfigurationProblem] {
        ids.enumerated().compactMap { index, id in
            guard reserved.contains(id) || ids[..<index].contains(id) else { return nil }
            return ProviderConfigurationProblem(setting: "OIDC_PROVIDERS", reason: "\(id) is taken")
        }
    }
}
