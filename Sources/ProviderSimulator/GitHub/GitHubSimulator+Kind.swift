extension ProviderName {
    static let github = ProviderName(known: "github")
}

extension GitHubSimulator {
    /// GitHub's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .github, client: Defaults.githubClient,
        orders: MintOrder.ofCodes.union(["profile", "emails"])
    ) { _ in GitHubSimulator() }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let githubClient = "Iv1.examplegithub01"
    static let githubSecret = "github-secret"
}
