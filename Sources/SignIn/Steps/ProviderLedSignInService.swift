import Accounts
import Clients
import Cryptography
import Foundation
import Logging
import Postgres
import Providers
import Sessions
import Vocabulary

/// Signs users in with a name and the steps that a provider leads.
///
/// The provider decides; each of its steps is a ``ProviderLedStep``. Once it has verified the user, the sign-in continues
/// as one with the provider's token does.
package final class ProviderLedSignInService: Sendable {
    private let shared: FlowServices
    private let signIn: SignInService
    /// Our public address, without a slash at its end.
    private let publicURL: String
    private var providers: ProviderRegistry { shared.tools.providers }
    var hasher: PasswordHasher { shared.tools.hasher }
    var logger: Logger { shared.logger }

    package init(_ shared: FlowServices, signIn: SignInService, publicURL: String) {
        (self.shared, self.signIn, self.publicURL) = (shared, signIn, publicURL)
    }

    /// Whether the provider leads users through steps.
    func leads(_ provider: String) -> Bool { providers.leader(provider) != nil }

    func begin(
        _ provider: String, _ credential: PresentedCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        try request.client.require(provider: provider)
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
        guard leads(provider) else { throw .providerUnknown(SentText(provider), offered: request.client.providers) }
        try await pay(ProviderLedStep.guessedName(username, at: provider), request)
        let linkFlow = try request.linkFlowID(shared.tokens)
        let context = StepwiseContext(
            now: shared.tools.now(), callerAddress: request.caller.address, mustTakePassword: migrating != nil)
        let answer = try await providers.answer(of: provider, logger) { leader throws(ProviderError) in
            try await leader.begin(username: username, password: password.map { Secret($0) }, context: context)
        }
        switch answer {
        case .verified(let identity):
            let proof = ProviderProof(
                identity: identity, linkFlow: linkFlow, accompanying: nil, migratingHash: migrating)
            return try await signIn(proof, request)
        case .ended(let end): throw Rejection(end)
        case .again(let refusal, _): throw Rejection(refusal, triesLeft: 0)
        case .step(.webFallback, _, _): return .nextStep(try inBrowser(provider, request))
        case .step(let asked, let state, let seconds):
            let step = ProviderLedStep(
                asked, state, life: seconds, provider: provider, username: username,
                accompanying: try await signIn.accompanyingSession(of: request), migratingHash: migrating)
            return .nextStep(try await begin(step, linkFlow: linkFlow, request))
        }
    }

    /// Writes the flow of the first step.
    private func begin(
        _ step: ProviderLedStep, linkFlow: UUID?, _ request: SignInRequest
    ) async throws(Rejection) -> PendingStep {
        let id = shared.starter.newID()
        let name = step.guessedName(id) ?? ""
        let flow = SignInFlow(
            provider: step.provider, language: request.caller.language ?? "", linkFlow: linkFlow,
            guessBucket: Hex.encode(shared.throttles.guessBucket(for: name)), progress: FlowProgress(step: step))
        try await rejecting(shared.logger) {
            try await shared.store.beginProviderLed(id, flow, life: step.life, request)
        }
        return try shared.shown(shared.context(id, .provider, flow, request))
    }

    /// Signs in with the identity that the provider proved.
    func signIn(_ proof: ProviderProof, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        let request = proof.accompanying.map { request.continuing(accompaniedBy: $0) } ?? request
        let outcome = try await signIn.signIn(proof.identity, linkFlow: proof.linkFlow, request: request)
        guard let hash = proof.migratingHash, case .signedIn(let signedIn) = outcome else { return outcome }
        try await keepPassword(hash, signedIn, proof.identity.provider, request)
        return outcome
    }

    /// Stores a password that the provider accepted, where the account has none.
    private func keepPassword(
        _ hash: String, _ signedIn: SignedIn, _ provider: ProviderID, _ request: SignInRequest
    ) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await shared.pool.execute(
                """
                select keep_migrated_password(\(signedIn.account.id), \(signedIn.sessionID), \(hash), \(provider.rawValue), \(request.client.id),
                                              \(request.caller.address), \(request.caller.requestID))
                """)
        }
    }

    private func pay(_ name: String, _ request: SignInRequest) async throws(Rejection) {
        let price =
            shared.throttles.passwordAttempt(name: name, client: request.client.id)
            + shared.throttles.start(address: request.caller.address)
        let wait = try await rejecting(logger) { () async throws -> Double in
            try await shared.pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))")?.value(0) ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    /// The step of a sign-in that continues in a browser, from the beginning.
    func inBrowser(_ provider: String, _ request: SignInRequest) throws(Rejection) -> PendingStep {
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
