package import Cryptography
import Foundation
package import Logging
import Metrics
package import Postgres
package import Providers
import ServiceLifecycle
import Vocabulary

/// Revokes tokens at their providers, and retries for thirty days without an answer.
package struct RevocationWorker: Service {
    private let queue: TokenRevocations
    private let providers: ProviderRegistry
    private let box: SealedBox
    private let logger: Logger

    private static let interval = Duration.seconds(2)
    private static let atOnce = 8

    package init(pool: ConnectionPool, providers: ProviderRegistry, keys: MasterKeys, logger: Logger) {
        queue = TokenRevocations(pool: pool)
        (self.providers, box, self.logger) = (providers, SealedBox(keys), logger)
    }

    /// Finishes the running work before it returns.
    package func run() async throws {
        try await repeatUntilShutdown(every: Self.interval) {
            // Without the database there is no work; the next poll comes soon.
            try? await revokeDue()
        }
    }

    private func revokeDue() async throws {
        let able = providers.all((any RevokesTokens).self).filter(\.canRevoke).map(\.id.rawValue)
        guard !able.isEmpty else { return }
        let claims = try await queue.claim(of: able, atMost: Self.atOnce)
        await withDiscardingTaskGroup { group in
            for claim in claims { group.addTask { await revoke(claim) } }
        }
    }

    private func revoke(_ claim: TokenRevocations.Claim) async {
        let outcome = await outcome(of: claim)
        let word =
            switch outcome {
            case .revoked: "revoked"
            case .refused: "refused"
            case .failed: "failed"
            }
        Counter(
            label: "provider_revocations_total", dimensions: [("provider", claim.token.provider), ("outcome", word)]
        ).increment()
        // If the database can't record the result, the lease expires and a second revocation follows, which is
        // harmless.
        try? await queue.settle(claim, outcome)
    }

    private func outcome(of claim: TokenRevocations.Claim) async -> TokenRevocations.Outcome {
        let retry = Self.pause(afterTries: claim.tries, chance: .random(in: 0...1))
        guard let id = ProviderID(rawValue: claim.token.provider), let provider = providers[id] as? any RevokesTokens
        else { return .failed("provider_disabled", retry: retry) }
        guard let token = claim.token.opened(by: box) else {
            logger.error("a stored provider token can't be opened", metadata: ["provider": "\(id)"])
            return .failed("unreadable", retry: retry)
        }
        do throws(ProviderError) {
            try await provider.revoke(token, at: Date())
            return .revoked
        } catch {
            logger.warning(
                "a provider token was not revoked",
                metadata: ["provider": "\(id)", "tries": "\(claim.tries)", "reason": "\(error.word)"])
            if case .refused = error { return .refused(error.word) }
            return .failed(error.word, retry: max(retry, error.pause))
        }
    }

    /// Seconds until the next attempt: 5 at first, doubled each time, six hours at most, shortened by up to a half.
    static func pause(afterTries tries: Int, chance: Double) -> Double {
        let longest = min(5 * pow(2, Double(min(max(tries, 1), 16) - 1)), 21_600)
        return longest * (1 - chance / 2)
    }
}
