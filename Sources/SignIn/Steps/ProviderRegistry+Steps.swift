import Logging
import Providers
import Vocabulary

extension ProviderRegistry {
    /// The adapter of a provider that leads users through steps; nil for other providers.
    func leader(_ provider: String) -> (any StepwiseSignIn)? {
        let adapter = ProviderID(rawValue: provider).flatMap { self[$0] as? any StepwiseSignIn }
        return adapter.flatMap { $0.canSignInStepwise ? $0 : nil }
    }

    /// The answer of a provider that leads users through steps.
    ///
    /// - Throws: `providerDisabled` for a provider that leads no steps, and the provider's errors.
    func answer(
        of provider: String, _ logger: Logger, _ ask: (any StepwiseSignIn) async throws(ProviderError) -> StepwiseAnswer
    ) async throws(Rejection) -> StepwiseAnswer {
        guard let leader = leader(provider) else { throw .providerDisabled }
        do throws(ProviderError) {
            return try await ask(leader)
        } catch {
            logger.report(error, of: provider)
            throw Rejection(error)
        }
    }
}

extension Logger {
    /// Logs a provider's failure.
    func report(_ error: ProviderError, of provider: String) {
        switch error {
        case .unavailable(let reason, _):
            warning("a provider is unavailable", metadata: ["provider": "\(provider)", "reason": "\(reason)"])
        case .misconfigured(let reason):
            self.error("a provider refuses us", metadata: ["provider": "\(provider)", "reason": "\(reason)"])
        case .invalidRequest, .refused: break
        }
    }
}
