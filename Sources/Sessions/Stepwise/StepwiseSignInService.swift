import Accounts
package import Cryptography
import Foundation
package import Logging
package import Postgres
package import Providers

/// Signs people in with a name and what a provider asks for, step by step.
///
/// The provider decides; here its steps are shown, its state is kept sealed, and attempts are counted before it is asked,
/// so that this server is no way around its limits or into them. Once it has said who it is, the sign-in goes on as one
/// with its token does.
package struct StepwiseSignInService: Sendable {
    let providers: ProviderRegistry
    let signIn: SignInService
    let steps: FlowService
    let box: SealedBox
    let hasher: PasswordHasher
    let throttles: Throttles
    let store: ProviderFlowStore
    /// Our public address, without a slash at its end.
    let publicURL: String
    let logger: Logger

    static let mostTries = 10

    package init(
        providers: ProviderRegistry, signIn: SignInService, steps: FlowService, pool: ConnectionPool, keys: MasterKeys,
        hasher: PasswordHasher, throttles: Throttles, publicURL: String, logger: Logger
    ) {
        (self.providers, self.signIn, self.steps, self.hasher) = (providers, signIn, steps, hasher)
        (self.throttles, self.publicURL, self.logger) = (throttles, publicURL, logger)
        (box, store) = (SealedBox(keys), ProviderFlowStore(pool: pool))
    }

    /// Whether a provider signs people in so.
    func leads(_ provider: String) -> Bool { adapter(provider) != nil }

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

    /// - Parameter migrating: the hash under which the password is to be kept here, once the provider has taken it.
    func begin(
        _ provider: String, _ username: String, _ password: String?, _ request: SignInRequest, migrating: String?
    ) async throws(Rejection) -> SignInOutcome {
        guard let adapter = adapter(provider) else { throw .providerUnknown }
        try await pay(Self.name(provider, username), request)
        let linkFlow = try request.linkFlowID(steps.flows)
        let answer = try await asking(provider) { () async throws(ProviderError) in
            try await adapter.begin(
                username: username, password: password.map { Secret($0) },
                context: context(request, migrating: migrating))
        }
        switch answer {
        case .verified(let external):
            return try await finish(external, linkFlow: linkFlow, migrating: migrating, request)
        case .ended(let end): throw Rejection(end)
        case .again(let refusal, _): throw Rejection(refusal, triesLeft: 0)
        case .step(let step, let state, let seconds):
            let flow = ProviderFlow(
                provider: provider, username: username, step: step, state: state, linkFlow: linkFlow,
                accompanying: try await signIn.accompanyingSession(of: request), migratingHash: migrating)
            return .nextStep(try await open(flow, seconds, request))
        }
    }

    /// The answer to a provider's step.
    func answer(_ response: StepResponse, _ call: FlowCall) async throws(Rejection) -> SignInOutcome {
        let (id, owned) = try steps.flows.open(call, .provider, steps.clients)
        // The place comes before the step is taken: an overloaded server would lose the step.
        let place = try await rejecting(logger) {
            response.answer.hasPassword ? try await hasher.place(for: call.caller.network) : nil
        }
        defer { place?.leave() }
        let taken = try await take(id, owned.client)
        let request = owned.continuing(accompaniedBy: taken.flow.accompanying)
        guard let adapter = adapter(taken.flow.provider) else { throw .providerDisabled }
        let said = try taken.flow.step.response(response.answer)
        let hash = try await hash(said, migrating: taken.flow.migratingHash, in: place)
        place?.leave()
        let answer = try await asking(taken.flow.provider) { () async throws(ProviderError) in
            try await adapter.answer(
                said, to: taken.flow.state, context: context(request, migrating: taken.flow.migratingHash))
        }
        return try await settle(answer, taken.keeping(hash, after: answer), request)
    }

    /// The pending step, to be shown again.
    func waiting(_ call: FlowCall) async throws(Rejection) -> PendingStep {
        let (id, request) = try steps.flows.open(call, .provider, steps.clients)
        let (flow, seconds) = try await rejecting(logger) {
            try await store.waiting(id, client: request.client.id, box)
        }
        return PendingStep(
            flow: call.flow, expiresIn: seconds, step: flow.step.shown(serviceName: steps.tools.serviceName))
    }

    /// Has the provider send its code once more.
    func resend(_ call: FlowCall) async throws(Rejection) -> PendingStep {
        let (id, owned) = try steps.flows.open(call, .provider, steps.clients)
        let taken = try await take(id, owned.client)
        let request = owned.continuing(accompaniedBy: taken.flow.accompanying)
        guard let adapter = adapter(taken.flow.provider) else { throw .providerDisabled }
        let answer = try await asking(taken.flow.provider) { () async throws(ProviderError) in
            try await adapter.resend(
                taken.flow.state, context: context(request, migrating: taken.flow.migratingHash))
        }
        guard case .nextStep(let pending) = try await settle(answer, taken, request) else { throw .internalError }
        return pending
    }

    // MARK: Pieces

    private func adapter(_ provider: String) -> (any StepwiseSignIn)? {
        let adapter = ProviderID(rawValue: provider).flatMap { providers[$0] as? any StepwiseSignIn }
        return adapter.flatMap { $0.canSignInStepwise ? $0 : nil }
    }

    private func context(_ request: SignInRequest, migrating hash: String?) -> StepwiseContext {
        StepwiseContext(
            now: steps.tools.now(), callerAddress: request.caller.address, mustTakePassword: hash != nil)
    }

    /// The hash of a password that came with an answer, where one is to be kept here.
    ///
    /// Made before the provider is asked: afterwards a server with too much to do would lose what the provider took.
    private func hash(
        _ said: StepwiseResponse, migrating old: String?, in place: HashingPlace?
    ) async throws(Rejection) -> String? {
        guard old != nil, let password = said.newestPassword else { return nil }
        return try await rejecting(logger) {
            try await hasher.hash(PasswordPolicy.normalised(password.revealedText), in: place)
        }
    }

    /// What guesses are counted by.
    static func name(_ provider: String, _ username: String) -> String {
        "\(provider) \(SignInName.throttleKey(username))"
    }

    private func pay(_ name: String, _ request: SignInRequest) async throws(Rejection) {
        let price = throttles.passwordAttempt(
            name: name, address: request.caller.address, client: request.client.id, isKnownDevice: false)
        let wait = try await rejecting(logger) { try await store.pay(price) }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    private func take(_ id: UUID, _ client: Client) async throws(Rejection) -> ProviderFlowStore.Taken {
        try await rejecting(logger) { try await store.take(id, client: client.id, box) }
    }

    private func asking(
        _ provider: String, _ body: () async throws(ProviderError) -> StepwiseAnswer
    ) async throws(Rejection) -> StepwiseAnswer {
        do throws(ProviderError) {
            return try await body()
        } catch {
            signIn.report(error, provider)
            throw Rejection(error)
        }
    }
}
