import Foundation
import Sessions
import Vocabulary

extension FlowService {
    /// The step that is due; a confirmed device proves itself in place of an enrolled second factor.
    func stepDue(_ flow: SignInFlow, _ context: FlowContext) async throws(Rejection) -> (any FlowStep)? {
        guard let step = try context.nextStep(flow) else { return nil }
        return try await deviceStep(flow, context) ?? step
    }

    /// Writes an answer; nil is a wrong one.
    func write(
        _ right: Right?, _ flow: SignInFlow, _ context: FlowContext
    ) async throws(Rejection) -> SignInOutcome {
        let codes = right?.enrols.flatMap { shared.tools.newRecoveryCodes($0, context) }
        let (next, refusal) = right == nil ? (flow, nil) : try await standing(flow, right?.next, codes, context)
        let device = shared.deviceMark(flow, context)
        var effects = right.map { context.effects(of: $0, codes) } ?? []
        if next == nil { effects += context.finalEffects(flow, device) }
        let session = try shared.starter.request(
            for: context.request, provider: flow.provider, proofs: flow.proofs,
            provedAt: flow.provedAt ?? Date(timeIntervalSince1970: 0), device: device)
        let answer = FlowStore.Answer(
            flow: context.id, revision: context.revision,
            isRight: right.isRight,
            codeDigest: right?.code.map { shared.digest($0, context.id) }, effects: effects, next: next,
            sending: right == nil ? FlowStore.Sending() : shared.sending(next?.progress.step, context),
            session: session,
            asking: shared.chargedNetworks(context), mark: context.request.device.known)
        switch try await rejecting(shared.logger, { try await shared.store.answer(answer, account: context.account) }) {
        case .refused(.codeWrong(let left, _)):
            let refusal = context.flow.progress.step?.wrong(triesLeft: left) ?? .codeWrong(triesLeft: left)
            throw refusal.about(context.account)
        case .refused(let rejection): throw rejection
        case .nextStep:
            if let refusal { throw refusal }
            guard let next else { throw .internalError }
            try await shared.send(answer.sending, next.progress.step?.dispatch?.purpose, of: next)
            return .nextStep(try shown(next, context, codes))
        case .signedIn(let account, let ends):
            return .signedIn(try await signedIn(session, account, flow, context, device.token, codes, ends))
        }
    }

    /// The flow at its next step; nil at its end.
    ///
    /// A dead end is a flow without a step, with a refusal for a right answer. The database decides whether it is right.
    private func standing(
        _ flow: SignInFlow, _ completing: (any FlowStep)?, _ codes: [String]?, _ context: FlowContext
    ) async throws(Rejection) -> (flow: SignInFlow?, refusal: Rejection?) {
        // A browser that has left for the app can not show the codes: it waits until they are written down.
        let isShowing = codes != nil && context.request.handing != .tokens
        var flow = flow
        if let completing {
            flow.progress.step = completing
            return (shared.budgeted(flow, context.request.client), nil)
        }
        do throws(Rejection) {
            guard let step = isShowing ? RecoveryCodesStep() : try await stepDue(flow, context) else {
                return (nil, nil)
            }
            var next = context
            next.flow = flow
            flow.progress.step = try await available(step, next)
            return (shared.budgeted(flow, context.request.client), nil)
        } catch {
            guard error == .noSecondFactorLeft || error == .temporaryPasswordExpired else { throw error }
            flow.progress.step = nil
            return (shared.budgeted(flow, context.request.client), error)
        }
    }

    func signedIn(
        _ session: SessionRequest, _ account: AccountSummary, _ flow: SignInFlow, _ context: FlowContext,
        _ device: String,
        _ recoveryCodes: [String]?, _ ends: Date?
    ) async throws(Rejection) -> SignedIn {
        var identity: IdentitySummary?
        if let id = flow.identity, let subject = context.subject {
            identity = IdentitySummary(id: id, provider: flow.provider, subject: subject)
        }
        return try await shared.starter.signedIn(
            session, account: account, identity: identity, isNew: flow.isNewAccount, deviceToken: device,
            recoveryCodes: recoveryCodes, ends: ends)
    }
}
