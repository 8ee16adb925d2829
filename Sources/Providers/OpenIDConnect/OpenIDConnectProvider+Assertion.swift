package import Cryptography
package import FoundationEssentials
import JSON

extension OpenIDConnectProvider: AssertsIdentities {
    package var isTrustedToAssert: Bool { configuration.isTrustedToAssert }

    package func verify(
        assertion jwt: JWT, for audience: String, at now: Date
    ) async throws(ProviderError) -> IdentityAssertion {
        var rules = IDTokenVerifier.Rules(issuers: [configuration.issuer], audiences: [audience], setting: "PUBLIC_URL")
        rules.algorithms = configuration.algorithms
        rules.type = IdentityAssertion.type
        rules.maximumLifetime = IdentityAssertion.longest
        // The id of the app at the provider decides nothing here: `client_id` is its id at the gateway.
        rules.authorizedParties = jwt.claims["azp"]?.string.map { [$0] } ?? []
        guard let verifier = try? IDTokenVerifier(rules, keys: self.verifier.keys) else {
            throw .misconfigured(reason: "assertion_rules")
        }
        let token = try await verifier.verifyWithoutNonce(jwt, at: now)
        // Of a tenant the subject alone names nobody (§6.1).
        guard token["tenant"] == nil else { throw .refused(.tenantNotAllowed) }
        guard token.audiences.count == 1, let id = token["jti"]?.string, (1...255).contains(id.utf8.count),
            let client = token["client_id"]?.string
        else { throw .refused(.claimType) }
        let digest = SHA256.hash("identity assertion \(token.issuer) \(id)")
        // Counted: one with the same `jti` and another `exp` is the same one.
        let end = ReplayEnd.counted(token.expiresAt.addingTimeInterval(60))
        return IdentityAssertion(
            identity: try identity(from: token, digest: digest, end: end), client: client,
            resources: try Self.texts(token["resource"]), scopes: Set(try Self.words(token["scope"])),
            key: try Self.key(token["cnf"]))
    }

    /// One text or a list (RFC 8707 §2); empty without any.
    private static func texts(_ claim: JSON?) throws(ProviderError) -> [String] {
        guard let claim else { return [] }
        let values = claim.array ?? [claim]
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { throw .refused(.claimType) }
        return texts
    }

    /// Words with spaces between (RFC 6749 §3.3).
    private static func words(_ claim: JSON?) throws(ProviderError) -> [String] {
        guard let claim else { return [] }
        guard let text = claim.string else { throw .refused(.claimType) }
        return text.split(separator: " ").map(String.init)
    }

    /// A confirmation of another kind can't be checked, so it is refused.
    private static func key(_ claim: JSON?) throws(ProviderError) -> String? {
        guard let claim else { return nil }
        guard let thumbprint = claim["jkt"]?.string else { throw .refused(.claimType) }
        return thumbprint
    }
}
