import Accounts
import Foundation

/// The results of an answer: a session, or the pending step.
extension FlowService {
    func signedIn(
        _ session: SessionRequest, _ account: AccountSummary, _ flow: SignInFlow, _ turn: Turn, _ device: String,
        _ recoveryCodes: [String]?
    ) async throws(Rejection) -> SignedIn {
        var identity: IdentitySummary?
        if let id = flow.identity, let subject = turn.loaded.subject {
            identity = IdentitySummary(id: id, provider: flow.provider, subject: subject)
        }
        return try await starter.signedIn(
            session, account: account, identity: identity, isNew: flow.isNewAccount, deviceToken: device,
            recoveryCodes: recoveryCodes, ends: flow.sessionEnds)
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
