import Clients
import Foundation
import Messages
import Sessions
import Vocabulary

/// Leads a sign-in through its steps: the driver of ``SignInCourse``.
///
/// A sign-in continues here when its statement returns `next_step`, and after each answer to a step
/// (``StepAnswerService``). The flow's row keeps the proofs, so a server that stops between two answers loses nothing.
package final class FlowService: Sendable {
    let shared: FlowServices

    /// The lifetime of a step, in seconds; each new step starts it again.
    static let life = 600
    /// The lifetime of a whole flow, and of a link flow that it completes, in seconds.
    static let wholeLife = 3_600
    static let mostTries = 5
    static let codeLength = 6
    /// Seconds between two messages of one flow.
    static let resendWait = 30
    static let mostResends = 5
    /// The lifetime of a remembered device, in seconds.
    static let rememberedLife = 2_592_000

    package init(_ shared: FlowServices) { self.shared = shared }

    /// Continues after a first factor that was not enough; its proofs are in the flow.
    func goOn(_ flow: UUID, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        try await rest(try await shared.load(flow, .signIn, request))
    }

    /// Raises a session by a second factor: it ends in a new session of the higher level, and the old one is over.
    ///
    /// - Throws: `clientUnknown` for a request of another client than the session's.
    func stepUp(_ session: SessionSnapshot, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        let (facts, caller) = (session.facts, request.caller)
        guard try shared.client(of: session).id == request.client.id else { throw .clientUnknown() }
        let flow = shared.starter.newID()
        let state = SignInFlow(provider: facts.provider, language: caller.language ?? "", wish: request.wish)
        switch try await rejecting(shared.logger, { try await shared.store.beginStepUp(flow, state, facts, caller) }) {
        case .nextStep: return try await goOn(flow, request)
        }
    }

    /// Sends another code for a step.
    func resend(_ step: any FlowStep, _ context: FlowContext) async throws(Rejection) -> PendingStep {
        guard let dispatch = step.dispatch else { throw .nothingToResend }
        try await shared.admit(resending: dispatch, of: context.flow)
        try await admit(step, context)
        let sending = shared.sending(step, context)
        let refusal = try await rejecting(shared.logger) {
            try await shared.store.resend(
                context.id, revision: context.revision, sending, context.request.caller)
        }
        if let refusal { throw refusal }
        try await shared.send(sending, dispatch.purpose, of: context.flow)
        return try shared.shown(context)
    }

    /// Asks for a bot check before a message of a flow that proves nothing yet.
    func admit(_ step: any FlowStep, _ context: FlowContext) async throws(Rejection) {
        guard step.dispatch != nil, context.flow.proofs.list.isEmpty, context.flow.session == nil else { return }
        try await shared.bots?.admit(context.request)
    }
}
