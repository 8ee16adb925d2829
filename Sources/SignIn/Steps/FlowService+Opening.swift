import Clients
import Cryptography
import Foundation
import Messages
import Sessions
import Vocabulary

/// Opens, keeps and ends the pending step of a flow.
extension FlowService {
    /// Replaces the pending step.
    func open(_ step: any FlowStep, _ turn: Turn) async throws(Rejection) -> PendingStep {
        try outbox.admit(step.dispatch?.destination)
        let flow = opened(step, turn)
        let sending = sending(step, turn)
        let refusal = try await rejecting(logger) {
            try await store.open(turn.flow, revision: turn.loaded.revision, flow, sending)
        }
        if let refusal { throw refusal }
        try await send(sending, step.dispatch?.purpose, of: flow)
        return try pending(flow, turn, revision: turn.loaded.revision + 1)
    }

    private func opened(_ step: any FlowStep, _ turn: Turn) -> SignInFlow {
        var flow = turn.context.flow
        flow.progress.step = step
        if flow.proofs.list.isEmpty, let factor = FirstFactor(of: step) { flow.provider = factor.rawValue }
        flow = budgeted(flow, turn.request.client)
        if let name = step.guessedName(turn.flow) { flow.guessBucket = Hex.encode(throttles.guessBucket(for: name)) }
        return flow
    }

    /// Replaces the step after an answer that proved nothing.
    func replace(with step: any FlowStep, _ turn: Turn) async throws(Rejection) -> PendingStep {
        try await admit(step, turn)
        let step = try await step.opened(turn.context)
        do throws(Rejection) {
            return try await open(step, turn)
        } catch .flowExpired where step.isWaiting && turn.loaded.flow.progress.step?.isWaiting == true {
            return try pending(opened(step, turn), turn, revision: turn.loaded.revision + 1)
        }
    }

    /// Keeps the step with another state, and returns the refusal of the answer.
    func keep(
        _ step: ProviderLedStep, _ rejection: Rejection, _ triesLeft: Int, _ turn: Turn
    ) async throws(Rejection) -> Rejection {
        let flow = opened(step, turn)
        let isKept = try await rejecting(logger) {
            try await store.keep(turn.flow, flow, revision: turn.loaded.revision, triesLeft: triesLeft)
        }
        return isKept ? rejection : .flowExpired
    }

    func end(_ turn: Turn) async throws(Rejection) -> Bool {
        try await rejecting(logger) { try await store.end(turn.flow, revision: turn.loaded.revision) }
    }

    /// Opens the step that is due, or ends in a session.
    func rest(_ turn: Turn) async throws(Rejection) -> SignInOutcome {
        guard let step = try await stepDue(turn.context.flow, turn) else {
            return try await write(Right(), turn.context.flow, turn)
        }
        return .nextStep(try await open(try await available(step, turn.context), turn))
    }

    /// Asks for a choice where the challenge service is down or no message reaches the number: the proofs are kept.
    func available(_ step: any FlowStep, _ context: StepContext) async throws(Rejection) -> any FlowStep {
        do throws(Rejection) {
            try outbox.admit(step.dispatch?.destination)
            return try await step.opened(context)
        } catch {
            guard error == .challengeUnavailable || error == .countryNotServed else { throw error }
            return SecondFactorSelectionStep()
        }
    }

    /// The pending step of a flow with its token.
    ///
    /// - Parameters:
    ///   - revision: the revision that the token names; nil for the loaded one.
    ///   - expiresIn: the remaining time in seconds; nil for a step that was just opened.
    func pending(
        _ flow: SignInFlow, _ turn: Turn, _ recoveryCodes: [String]? = nil, revision: Int? = nil, expiresIn: Int? = nil
    ) throws(Rejection) -> PendingStep {
        guard let step = flow.progress.step else { throw .internalError }
        var context = turn.context
        context.flow = flow
        let token = FlowReference(
            turn.flow, turn.kind, client: turn.request.client.id,
            revision: turn.request.renewsFlowTokens ? revision ?? turn.loaded.revision : nil)
        return PendingStep(
            flow: flows.text(token), expiresIn: expiresIn ?? step.life, step: try step.shown(context),
            recoveryCodes: recoveryCodes)
    }
}
