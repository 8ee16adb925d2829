package import FoundationEssentials

extension AppleProvider: RevokesTokens {
    package var canRevoke: Bool { exchange != nil }

    package func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError) {
        try await keyed().revoke(token, at: now)
    }
}

extension AppleProvider: ChecksTokens {
    package var canCheck: Bool { exchange != nil && configuration.checksTokens }

    package var checkedRealm: String { configuration.teamID }

    package func standing(of token: UpstreamToken, at now: Date) async throws(ProviderError) -> TokenStanding {
        try await keyed().standing(of: token, at: now)
    }

    /// The operations that need the signing key.
    func keyed() throws(ProviderError) -> AppleCodeExchange {
        guard let exchange else { throw .misconfigured(reason: "signing_key_missing") }
        return exchange
    }
}
