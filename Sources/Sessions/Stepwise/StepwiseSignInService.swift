package import Accounts
package import Cryptography
import Foundation
package import JSON
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
    let logger: Logger

    static let mostTries = 10

    package init(
        providers: ProviderRegistry, signIn: SignInService, steps: FlowService, pool: ConnectionPool, keys: MasterKeys,
        hasher: PasswordHasher, throttles: Throttles, logger: Logger
    ) {
        (self.providers, self.signIn, self.steps, self.hasher) = (providers, signIn, steps, hasher)
        (self.throttles, self.logger) = (throttles, logger)
        (box, store) = (SealedBox(keys), ProviderFlowStore(pool: pool))
    }

    /// Whether a provider signs people in so.
    package func leads(_ provider: String) -> Bool { adapter(provider) != nil }

    package func begin(
        provider: String, credential: JSONObject, request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        guard request.client.allows(provider: provider) else { throw .providerNotAllowed }
        let username = try credential.credentialText("username", most: 512)
        let password = try credential["password"].map { _ throws(Rejection) in
            try credential.credentialText("password", most: PasswordPolicy.maximumBytes)
        }
        return try await begin(provider, username, password, request, migrating: nil)
    }

    /// - Parameter migrating: the hash under which the password is to be kept here, once the provider has taken it.
    func begin(
        _ provider: String, _ username: String, _ password: String?, _ request: SignInRequest, migrating: String?
    ) async throws(Rejection) -> SignInOutcome {
        guard let adapter = adapter(provider) else { throw .providerUnknown }
        let name = "\(provider) \(EmailAddress.throttleKey(username))"
        try await pay(name, request)
        let linkFlow = try request.linkFlowID(steps.flows)
        let answer = try await asking(provider) { () async throws(ProviderError) in
            try await adapter.begin(
                username: username, password: password.map { Secret($0) }, context: context(request))
        }
        switch answer {
        case .verified(let external):
            return try await finish(external, linkFlow: linkFlow, migrating: migrating, request)
        case .ended(let end): throw Rejection(end)
        case .again(let refusal, _): throw Rejection(refusal, triesLeft: 0)
        case .step(let step, let state, let seconds):
            let flow = ProviderFlow(
                provider: provider, username: username, step: step, state: state, linkFlow: linkFlow,
                guessBucket: Hex.encode(throttles.guessBucket(for: name)), migratingHash: migrating)
            return .nextStep(try await open(flow, seconds, request))
        }
    }

    /// The answer to a provider's step.
    package func answer(
        flow text: String, response: JSONObject, of owner: Client? = nil, device: DeviceHint,
        handing: SessionHanding = .tokens, caller: Caller
    ) async throws(Rejection) -> SignInOutcome {
        let (id, client) = try owned(text, owner)
        let request = SignInRequest(client: client, device: device, handing: handing, caller: caller)
        let taken = try await take(id, client)
        guard let adapter = adapter(taken.flow.provider) else { throw .providerDisabled }
        let said = try taken.flow.step.response(response)
        do throws(Rejection) {
            let answer = try await asking(taken.flow.provider) { () async throws(ProviderError) in
                try await adapter.answer(said, to: taken.flow.state, context: context(request))
            }
            return try await settle(answer, taken, request)
        } catch {
            guard case .invalidMember(let pointer, let reason) = error, pointer.hasPrefix("/credential/") else {
                throw error
            }
            throw .invalidMember(pointer: "/response" + pointer.dropFirst("/credential".count), reason: reason)
        }
    }

    /// The step that waits, for whoever is to see it again.
    package func waiting(flow text: String, of owner: Client) async throws(Rejection) -> PendingStep {
        let (id, client) = try owned(text, owner)
        let (flow, seconds) = try await rejecting(logger) { try await store.waiting(id, client: client.id, box) }
        return PendingStep(
            flow: text, expiresIn: seconds, step: flow.step.shown(serviceName: steps.tools.serviceName))
    }

    /// Has the provider send its code once more.
    package func resend(flow text: String, caller: Caller) async throws(Rejection) -> PendingStep {
        let (id, client) = try owned(text, nil)
        let request = SignInRequest(client: client, device: DeviceHint(), caller: caller)
        let taken = try await take(id, client)
        guard let adapter = adapter(taken.flow.provider) else { throw .providerDisabled }
        let answer = try await asking(taken.flow.provider) { () async throws(ProviderError) in
            try await adapter.resend(taken.flow.state, context: context(request))
        }
        guard case .nextStep(let pending) = try await settle(answer, taken, request) else { throw .internalError }
        return pending
    }

    // MARK: Pieces

    private func adapter(_ provider: String) -> (any StepwiseSignIn)? {
        let adapter = ProviderID(rawValue: provider).flatMap { providers[$0] as? any StepwiseSignIn }
        return adapter.flatMap { $0.canSignInStepwise ? $0 : nil }
    }

    private func context(_ request: SignInRequest) -> StepwiseContext {
        StepwiseContext(now: steps.tools.now(), callerAddress: request.caller.address)
    }

    private func owned(_ text: String, _ owner: Client?) throws(Rejection) -> (UUID, Client) {
        let (id, clientID) = try steps.flows.parse(text, .provider)
        guard let client = steps.clients.client(clientID) else { throw .clientUnknown }
        guard owner.map({ $0.id == client.id }) ?? true else { throw .flowExpired }
        return (id, client)
    }

    private func pay(_ name: String, _ request: SignInRequest) async throws(Rejection) {
        let price = throttles.passwordAttempt(
            name: name, address: request.caller.address, client: request.client.id, knownDevice: nil)
        let wait = try await rejecting(logger) { try await store.pay(price) }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    private func take(_ id: UUID, _ client: Client) async throws(Rejection) -> ProviderFlowStore.Taken {
        try await rejecting(logger) { try await store.take(id, client: client.id, box) }
    }

    private func open(_ flow: ProviderFlow, _ seconds: Int, _ request: SignInRequest) async throws(Rejection)
        -> PendingStep
    {
        if case .webFallback(let url) = flow.step { return .inBrowser(url, serviceName: steps.tools.serviceName) }
        let id = steps.starter.newID()
        let step = flow.step.shown(serviceName: steps.tools.serviceName)
        try await rejecting(logger) { try await store.begin(id, flow, seconds: seconds, request, box) }
        return PendingStep(
            flow: steps.flows.text(id, .provider, client: request.client.id), expiresIn: seconds, step: step)
    }

    private func settle(
        _ answer: StepwiseAnswer, _ taken: ProviderFlowStore.Taken, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        var flow = taken.flow
        switch answer {
        case .verified(let external):
            try await rejecting(logger) { try await store.end(taken.id) }
            return try await finish(external, linkFlow: flow.linkFlow, migrating: flow.migratingHash, request)
        case .ended(let end):
            try await rejecting(logger) { try await store.end(taken.id) }
            throw Rejection(end)
        case .again(let refusal, let state):
            flow.state = state
            try await keep(flow, taken, isNext: false, 0)
            throw Rejection(refusal, triesLeft: taken.triesLeft)
        case .step(.webFallback(let url), _, _):
            try await rejecting(logger) { try await store.end(taken.id) }
            return .nextStep(.inBrowser(url, serviceName: steps.tools.serviceName))
        case .step(let step, let state, let seconds):
            (flow.step, flow.state) = (step, state)
            try await keep(flow, taken, isNext: true, seconds)
            return .nextStep(
                PendingStep(
                    flow: steps.flows.text(taken.id, .provider, client: request.client.id), expiresIn: seconds,
                    step: step.shown(serviceName: steps.tools.serviceName)))
        }
    }

    private func keep(
        _ flow: ProviderFlow, _ taken: ProviderFlowStore.Taken, isNext: Bool, _ seconds: Int
    ) async throws(Rejection) {
        let isKept = try await rejecting(logger) {
            try await store.keep(taken.id, flow, revision: taken.revision, isNext: isNext, seconds: seconds, box)
        }
        guard isKept else { throw .flowExpired }
    }

    private func finish(
        _ external: ExternalIdentity, linkFlow: UUID?, migrating hash: String?, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let outcome = try await signIn.signIn(external, linkFlow: linkFlow, request: request)
        guard let hash, case .signedIn(let signedIn) = outcome else { return outcome }
        _ = try await rejecting(logger) {
            try await store.keepPassword(hash, of: signedIn.account.id, external.provider.rawValue, request)
        }
        return outcome
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

extension PendingStep {
    /// The end of a sign-in that only a browser can go on with: nothing is kept of it.
    fileprivate static func inBrowser(_ url: String?, serviceName: String) -> PendingStep {
        PendingStep(flow: "", expiresIn: 0, step: ProviderStep.webFallback(url: url).shown(serviceName: serviceName))
    }
}

extension JSONObject {
    fileprivate func credentialText(_ name: String, most: Int) throws(Rejection) -> String {
        guard case .string(let text)? = self[name], !text.isEmpty else {
            throw .invalidMember(pointer: "/credential/\(name)", reason: "required")
        }
        guard text.utf8.count <= most else { throw .invalidMember(pointer: "/credential/\(name)", reason: "too_long") }
        return text
    }
}
