import Clients
import Cryptography
import Foundation
import Messages
import Sessions
import Vocabulary

/// Opens, keeps and ends the pending step of a flow.
extension FlowService {
    /// Replaces the pending step.
    func open(_ step: any FlowStep, _ context: FlowContext) async throws(Rejection) -> PendingStep {
        try shared.outbox.admit(step.dispatch?.destination)
        let flow = opened(step, context)
        let sending = shared.sending(step, context)
        let refusal = try await rejecting(shared.logger) {
            try await shared.store.open(context.id, revision: context.revision, flow, sending)
        }
        if let refusal { throw refusal }
        try await shared.send(sending, step.dispatch?.purpose, of: flow)
        return try shown(flow, context)
    }

    func opened(_ step: any FlowStep, _ context: FlowContext) -> SignInFlow {
        var flow = context.flow
        flow.progress.step = step
        if flow.proofs.list.isEmpty, let factor = FirstFactor(of: step) { flow.provider = factor.rawValue }
        flow = shared.budgeted(flow, context.request.client)
        if let name = step.guessedName(context.id) {
            flow.guessBucket = Hex.encode(shared.throttles.guessBucket(for: name))
        }
        return flow
    }

    /// Opens the step that is due, or ends in a session.
    func rest(_ context: FlowContext) async throws(Rejection) -> SignInOutcome {
        guard let step = try await stepDue(context.flow, context) else {
            return try await write(Right(), context.flow, context)
        }
        return .nextStep(try await open(try await available(step, context), context))
    }

    /// Asks for a choice where the challenge service is down or no message reaches the number: the proofs are kept.
    func available(_ step: any FlowStep, _ context: FlowContext) async throws(Rejection) -> any FlowStep {
        do throws(Rejection) {
            try shared.outbox.admit(step.dispatch?.destination)
            return try await step.opened(context)
        } catch {
            guard error == .challengeUnavailable || error == .countryNotServed else { throw error }
            return SecondFactorSelectionStep()
        }
    }

    /// The pending step of the flow as it was just written.
    func shown(
        _ flow: SignInFlow, _ context: FlowContext, _ recoveryCodes: [String]? = nil
    ) throws(Rejection) -> PendingStep {
        var next = context
        next.flow = flow
        return try shared.shown(next, recoveryCodes, revision: context.revision + 1)
    }
}
