import Foundation
import Sessions
import Vocabulary

/// Answers the pending step of a flow: the step judges the answer, and this service carries out the verdict.
final class StepAnswerService: Sendable {
    private let shared: FlowServices
    private let flows: FlowService
    private let providerLed: ProviderLedSignInService

    init(_ shared: FlowServices, flows: FlowService, providerLed: ProviderLedSignInService) {
        (self.shared, self.flows, self.providerLed) = (shared, flows, providerLed)
    }

    /// The answer to a step.
    ///
    /// - Parameter resets: whether the step must set another password.
    func answer(
        _ response: StepResponse, _ flow: OpenedFlow, resets: Bool
    ) async throws(Rejection) -> SignInOutcome {
        let context = try await shared.pending(flow)
        guard let step = context.flow.progress.step, !resets || step is ResetPasswordStep else { throw .flowExpired }
        // The same address again asks for another code, which has to wait.
        if let step = step as? CodeSetUpStep, step.isSent(to: response.answer) { return try await resend(flow) }
        return try await settle(try await context.judge(response, at: step), response, context)
    }

    /// The pending step, to be shown again after a refused answer.
    func waiting(_ flow: OpenedFlow) async throws(Rejection) -> PendingStep {
        let context = try await shared.pending(flow)
        return try shared.shown(context, expiresIn: context.secondsLeft)
    }

    /// Sends another code for the pending step; the earlier code ends.
    func resend(_ flow: OpenedFlow) async throws(Rejection) -> SignInOutcome {
        let context = try await shared.pending(flow)
        guard let step = context.flow.progress.step else { throw .nothingToResend }
        if let verdict = try await step.resent(context) {
            return try await settle(verdict, StepResponse(.nothing), context)
        }
        return .nextStep(try await flows.resend(step, context))
    }

    /// Carries out a verdict: a right answer leads to the next step or to a session.
    private func settle(
        _ verdict: Verdict, _ response: StepResponse, _ context: FlowContext
    ) async throws(Rejection) -> SignInOutcome {
        switch verdict {
        case .goOn(let step): return .nextStep(try await replace(with: step, context))
        case .wrong: return try await flows.write(nil, context.flow, context)
        case .refused(let rejection): return try await refuse(rejection, context)
        case .right(let right): return try await settle(right, response, context)
        case .again(let step, let rejection, let triesLeft): throw try await keep(step, rejection, triesLeft, context)
        case .ended(let rejection):
            _ = try await end(context)
            throw rejection
        case .inBrowser(let provider):
            _ = try await end(context)
            return .nextStep(try providerLed.inBrowser(provider, context.request))
        case .verified(let proof):
            guard try await end(context) else { throw .flowExpired }
            return try await providerLed.signIn(proof, context.request)
        }
    }

    private func settle(
        _ right: Right, _ response: StepResponse, _ context: FlowContext
    ) async throws(Rejection) -> SignInOutcome {
        // The database compares the code again, with the flow's row locked. Before that, the next step stays unknown.
        if let code = right.code, !context.isRight(code) {
            return try await flows.write(nil, context.flow, context)
        }
        var flow = context.flow
        // A renewal keeps nothing of unknown age, so that two proofs of different age are no two factors.
        if context.course.isRenewal, right.proof != nil { flow.proofs = Proofs() }
        flow.proofs = flow.proofs.adding(right.proof)
        flow.progress.newPassword = right.newPassword ?? flow.progress.newPassword
        flow.progress.provedDevice = right.device ?? flow.progress.provedDevice
        // A new factor proves nothing about the account: only factors that it had before count.
        if right.proof != nil, right.enrols == nil { flow.provedAt = shared.tools.now() }
        if response.remembersDevice { flow.progress.remembersDevice = true }
        return try await flows.write(right, flow, context)
    }

    /// Counts the answer as wrong and returns the reason: parallel answers learn no more than wrong ones do.
    private func refuse(_ rejection: Rejection, _ context: FlowContext) async throws(Rejection) -> SignInOutcome {
        do throws(Rejection) {
            return try await flows.write(nil, context.flow, context)
        } catch .codeWrong {
            throw rejection
        }
    }

    /// Replaces the step after an answer that proved nothing.
    private func replace(with step: any FlowStep, _ context: FlowContext) async throws(Rejection) -> PendingStep {
        try await flows.admit(step, context)
        let step = try await step.opened(context)
        do throws(Rejection) {
            return try await flows.open(step, context)
        } catch .flowExpired where step.isWaiting && context.flow.progress.step?.isWaiting == true {
            return try flows.shown(flows.opened(step, context), context)
        }
    }

    /// Keeps the step with another state, and returns the refusal of the answer.
    private func keep(
        _ step: ProviderLedStep, _ rejection: Rejection, _ triesLeft: Int, _ context: FlowContext
    ) async throws(Rejection) -> Rejection {
        let flow = flows.opened(step, context)
        let isKept = try await rejecting(shared.logger) {
            try await shared.store.keep(context.id, flow, revision: context.revision, triesLeft: triesLeft)
        }
        return isKept ? rejection : .flowExpired
    }

    private func end(_ context: FlowContext) async throws(Rejection) -> Bool {
        try await rejecting(shared.logger) { try await shared.store.end(context.id, revision: context.revision) }
    }
}
