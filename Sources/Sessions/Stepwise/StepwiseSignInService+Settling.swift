import Accounts
import Cryptography
import Foundation
import JSON
import Providers

/// What follows from a provider's answer.
extension StepwiseSignInService {
    func open(_ flow: ProviderFlow, _ seconds: Int, _ request: SignInRequest) async throws(Rejection)
        -> PendingStep
    {
        if flow.step == .webFallback { return try inBrowser(flow.provider, request) }
        let id = steps.starter.newID()
        let bucket = guessBucket(of: flow, id)
        try await rejecting(logger) {
            try await store.begin(id, flow, guessing: bucket, seconds: seconds, request, box)
        }
        return pending(id, flow.step, seconds, request)
    }

    func settle(
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
            guard try await keep(flow, taken, isNext: false, 0) else { throw .flowExpired }
            throw Rejection(refusal, triesLeft: taken.triesLeft)
        case .step(.webFallback, _, _):
            try await rejecting(logger) { try await store.end(taken.id) }
            return .nextStep(try inBrowser(flow.provider, request))
        case .step(let step, let state, let seconds):
            let isStillUnderWay = flow.step.isWaiting && step.isWaiting
            (flow.step, flow.state) = (step, state)
            // Of two that wait for the same thing each may go on waiting, whoever asked first.
            guard try await keep(flow, taken, isNext: true, seconds) || isStillUnderWay else { throw .flowExpired }
            return .nextStep(pending(taken.id, step, seconds, request))
        }
    }

    func finish(
        _ external: ExternalIdentity, linkFlow: UUID?, migrating hash: String?, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let outcome = try await signIn.signIn(external, linkFlow: linkFlow, request: request)
        guard let hash, case .signedIn(let signedIn) = outcome else { return outcome }
        _ = try await rejecting(logger) {
            try await store.keepPassword(hash, of: signedIn, external.provider.rawValue, request)
        }
        return outcome
    }

    private func keep(
        _ flow: ProviderFlow, _ taken: ProviderFlowStore.Taken, isNext: Bool, _ seconds: Int
    ) async throws(Rejection) -> Bool {
        let bucket = guessBucket(of: flow, taken.id)
        return try await rejecting(logger) {
            try await store.keep(
                taken.id, flow, guessing: bucket, revision: taken.revision, isNext: isNext, seconds: seconds, box)
        }
    }

    private func pending(_ id: UUID, _ step: ProviderStep, _ seconds: Int, _ request: SignInRequest) -> PendingStep {
        PendingStep(
            flow: steps.flows.text(id, .provider, client: request.client.id), expiresIn: seconds,
            step: step.shown(serviceName: steps.tools.serviceName))
    }

    /// Where answers are counted: those of whoever merely waits are no guesses, and a purse of the flow's own keeps them
    /// from being many.
    private func guessBucket(of flow: ProviderFlow, _ id: UUID) -> [UInt8] {
        throttles.guessBucket(for: flow.step.isWaiting ? id.text : Self.name(flow.provider, flow.username))
    }

    /// The end of a sign-in that only a browser can go on with, from the beginning: nothing is kept of it.
    private func inBrowser(_ provider: String, _ request: SignInRequest) throws(Rejection) -> PendingStep {
        let (id, client) = (ProviderID(rawValue: provider), request.client)
        let adapter = id.flatMap { providers[$0] as? any RedirectSignIn }
        // An app gets its session from a browser at an address of its own, or not at all.
        guard adapter?.canRedirect == true, request.handing != .tokens || !client.redirectURIs.isEmpty else {
            signIn.report(.misconfigured(reason: "web_sign_in_missing"), provider)
            throw .providerMisconfigured
        }
        let address = publicURL + "/login/\(provider)".addingQuery([("client_id", client.id)])
        return PendingStep(flow: "", expiresIn: 0, step: .continueInBrowser(url: address))
    }
}

extension ProviderStep {
    fileprivate var isWaiting: Bool {
        if case .resetUnderWay = self { true } else { false }
    }
}

extension ProviderFlowStore.Taken {
    /// The same with the hash of a password that the provider has just taken, where one is to be kept.
    func keeping(_ hash: String?, after answer: StepwiseAnswer) -> Self {
        guard let hash else { return self }
        if case .again = answer { return self }
        var taken = self
        taken.flow.migratingHash = hash
        return taken
    }
}

extension StepwiseResponse {
    /// What somebody will sign in with from now on, if the provider takes it.
    var newestPassword: Secret? {
        switch self {
        case .password(let password), .newPassword(let password, _), .resetPassword(_, let password): password
        default: nil
        }
    }
}
