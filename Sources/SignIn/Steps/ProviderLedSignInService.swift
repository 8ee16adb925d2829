import Accounts
import Clients
package import Cryptography
import Foundation
package import Logging
package import Postgres
package import Providers
package import Sessions
import Vocabulary

/// Signs users in with a name and the steps that a provider leads.
///
/// The provider decides; each of its steps is a ``ProviderLedStep``. Once it has verified the user, the sign-in continues
/// as one with the provider's token does.
package final class ProviderLedSignInService: Sendable {
    private let providers: ProviderRegistry
    private let signIn: SignInService
    private let steps: FlowService
    let hasher: PasswordHasher
    private let throttles: Throttles
    private let pool: ConnectionPool
    /// Our public address, without a slash at its end.
    private let publicURL: String
    let logger: Logger

    package init(
        providers: ProviderRegistry, signIn: SignInService, steps: FlowService, pool: ConnectionPool,
        hasher: PasswordHasher, throttles: Throttles, publicURL: String, logger: Logger
    ) {
        (self.providers, self.signIn, self.steps, self.hasher) = (providers, signIn, steps, hasher)
        (self.throttles, self.publicURL, self.logger, self.pool) = (throttles, publicURL, logger, pool)
    }

    /// Whether the provider leads users through steps.
    func leads(_ provider: String) -> Bool { providers.leader(provider) != nil }

    func begin(
        _ provider: String, _ credential: PresentedCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        guard request.client.allows(provider: provider) else { throw .providerNotAllowed }
        let username: String
        let password: String?
        do throws(ProviderError) {
            username = try credential.username(most: 512)
            password = try credential.password(most: PasswordPolicy.maximumBytes)
        } catch {
            throw Rejection(error)
        }
        return try await begin(provider, username, password, request, migrating: nil)
    }

    /// - Parameter migrating: the hash of the password to store, once the provider accepts the password.
    func begin(
        _ provider: String, _ username: String, _ password: String?, _ request: SignInRequest, migrating: String?
    ) async throws(Rejection) -> SignInOutcome {
        guard leads(provider) else { throw .providerUnknown }
        try await pay(ProviderLedStep.guessedName(username, at: provider), request)
        let linkFlow = try request.linkFlowID(steps.flows)
        let context = StepwiseContext(
            now: steps.tools.now(), callerAddress: request.caller.address, mustTakePassword: migrating != nil)
        let answer = try await providers.answer(of: provider, logger) { leader throws(ProviderError) in
            try await leader.begin(username: username, password: password.map { Secret($0) }, context: context)
        }
        switch answer {
        case .verified(let identity):
            return try await finish(
                .verified(
                    ProviderProof(
                        identity: identity, linkFlow: linkFlow, accompanying: nil, migratingHash: migrating)), request)
        case .ended(let end): throw Rejection(end)
        case .again(let refusal, _): throw Rejection(refusal, triesLeft: 0)
        case .step(.webFallback, _, _): return .nextStep(try inBrowser(provider, request))
        case .step(let asked, let state, let seconds):
            let step = ProviderLedStep(
                asked, state, life: seconds, provider: provider, username: username,
                accompanying: try await signIn.accompanyingSession(of: request), migratingHash: migrating)
            return .nextStep(try await steps.begin(step, linkFlow: linkFlow, request))
        }
    }

    /// Completes the answer to a step.
    func finish(_ result: FlowResult, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        switch result {
        case .outcome(let outcome): return outcome
        case .inBrowser(let provider): return .nextStep(try inBrowser(provider, request))
        case .verified(let proof):
            let request = proof.accompanying.map { request.continuing(accompaniedBy: $0) } ?? request
            let outcome = try await signIn.signIn(proof.identity, linkFlow: proof.linkFlow, request: request)
            guard let hash = proof.migratingHash, case .signedIn(let signedIn) = outcome else { return outcome }
            try await keepPassword(hash, signedIn, proof.identity.provider, request)
            return outcome
        }
    }

    /// Stores a password that the provider accepted, where the account has none.
    private func keepPassword(
        _ hash: String, _ signedIn: SignedIn, _ provider: ProviderID, _ request: SignInRequest
    ) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await pool.withConnection { connection in
                try connection.execute(
                    """
                    select keep_migrated_password(\(signedIn.account.id), \(signedIn.sessionID), \(hash), \(provider.rawValue), \(request.client.id),
                                                  \(request.caller.address), \(request.caller.requestID))
                    """)
            }
        }
    }

    private func pay(_ name: String, _ request: SignInRequest) async throws(Rejection) {
        let price =
            throttles.passwordAttempt(name: name, client: request.client.id)
            + throttles.start(address: request.caller.address)
        let wait = try await rejecting(logger) { () async throws -> Double in
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))")?.value(0) ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    /// The step of a sign-in that continues in a browser, from the beginning.
    private func inBrowser(_ provider: String, _ request: SignInRequest) throws(Rejection) -> PendingStep {
        let (id, client) = (ProviderID(rawValue: provider), request.client)
        let adapter = id.flatMap { providers[$0] as? any RedirectSignIn }
        // An app gets its session from a browser at a redirect URI of its own, or not at all.
        guard adapter?.canRedirect == true, request.handing != .tokens || !client.redirectURIs.isEmpty else {
            logger.report(.misconfigured(reason: "web_sign_in_missing"), of: provider)
            throw .providerMisconfigured
        }
        let address = publicURL + "/login/\(provider)".addingQuery([("client_id", client.id)])
        return PendingStep(flow: "", expiresIn: 0, step: .continueInBrowser(url: address))
    }
}
