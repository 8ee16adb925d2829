import Accounts
import Cryptography
import Foundation
import Providers
import Vocabulary

/// A step that a provider leads: the provider asks, and judges the answer.
///
/// Answers are charged before the provider is asked, so that no caller can exceed the provider's limits through this server.
struct ProviderLedStep: FlowStep {
    static let kind = "provider"
    static let mostTries = 10

    let provider: String
    let username: String
    private var asked: ProviderStep
    /// The provider's own state, opaque.
    private var state: StepwiseState
    private(set) var life: Int
    /// The accompanying session of the first call.
    private let accompanying: AccompanyingSession?
    /// The hash of the password to store, once the provider accepts the password.
    private var migratingHash: String?

    init(
        _ asked: ProviderStep, _ state: StepwiseState, life: Int, provider: String, username: String,
        accompanying: AccompanyingSession?, migratingHash: String?
    ) {
        (self.asked, self.state, self.life) = (asked, state, life)
        (self.provider, self.username) = (provider, username)
        (self.accompanying, self.migratingHash) = (accompanying, migratingHash)
    }

    var isGuessed: Bool { false }
    var isFirst: Bool { true }

    var isWaiting: Bool {
        if case .resetUnderWay = asked { true } else { false }
    }

    /// Polling is no guess: it has a budget of its own.
    func guessedName(_ flow: UUID) -> String? {
        isWaiting ? flow.uuidString : Self.guessedName(username, at: provider)
    }

    static func guessedName(_ username: String, at provider: String) -> String {
        "\(provider) \(SignInName.throttleKey(username))"
    }

    var resendWait: Int { asked.resendWait ?? FlowService.resendWait }

    func shown(_ context: FlowContext) -> SignInStep { asked.shown(serviceName: context.tools.serviceName) }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        let tools = context.tools
        // An overloaded server refuses the answer before it costs a try.
        let place = response.answer.hasPassword ? try await context.hashingPlace() : nil
        defer { place?.leave() }
        let triesLeft = try await context.charge()
        let response = try asked.response(response.answer)
        // Hashed before the provider is asked: after that, an overloaded server would lose an accepted password.
        let hash = try await hash(response, context, in: place)
        place?.leave()
        let answer = try await tools.providers.answer(of: provider, tools.logger) { leader throws(ProviderError) in
            try await leader.answer(response, to: state, context: stepwiseContext(context))
        }
        return verdict(answer, hash, triesLeft, context)
    }

    func resent(_ context: FlowContext) async throws(Rejection) -> Verdict? {
        let tools = context.tools
        let triesLeft = try await context.charge(resendWait: asked.resendWait)
        let answer = try await tools.providers.answer(of: provider, tools.logger) { leader throws(ProviderError) in
            try await leader.resend(state, context: stepwiseContext(context))
        }
        return verdict(answer, nil, triesLeft, context)
    }

    private func stepwiseContext(_ context: FlowContext) -> StepwiseContext {
        StepwiseContext(
            now: context.tools.now(), callerAddress: context.request.caller.address,
            mustTakePassword: migratingHash != nil)
    }

    /// The hash of a password in the answer, where one is to be stored.
    private func hash(
        _ response: StepwiseResponse, _ context: FlowContext, in place: HashingPlace?
    ) async throws(Rejection) -> String? {
        guard migratingHash != nil, let password = response.newestPassword else { return nil }
        return try await rejecting(context.tools.logger) {
            try await context.tools.hasher.hash(PasswordPolicy.normalised(password.revealedText), in: place)
        }
    }

    private func verdict(
        _ answer: StepwiseAnswer, _ hash: String?, _ triesLeft: Int, _ context: FlowContext
    ) -> Verdict {
        var next = self
        switch answer {
        case .verified(let identity):
            return .verified(
                ProviderProof(
                    identity: identity, linkFlow: context.flow.linkFlow, accompanying: accompanying,
                    migratingHash: hash ?? migratingHash))
        case .ended(let end): return .ended(Rejection(end))
        case .again(let refusal, let state):
            next.state = state
            return .again(next, Rejection(refusal, triesLeft: triesLeft), triesLeft: triesLeft)
        case .step(.webFallback, _, _): return .inBrowser(provider: provider)
        case .step(let step, let state, let seconds):
            (next.asked, next.state, next.life) = (step, state, seconds)
            next.migratingHash = hash ?? migratingHash
            return .goOn(next)
        }
    }
}

extension StepwiseResponse {
    /// The password of later sign-ins, if the provider accepts it.
    fileprivate var newestPassword: Secret? {
        switch self {
        case .password(let password), .newPassword(let password, _), .resetPassword(_, let password): password
        default: nil
        }
    }
}
