import Accounts
import Clients
import Cryptography
import Foundation
import Sessions
import Vocabulary

/// Flows as they are pending, and the steps that callers see.
extension FlowServices {
    /// The flow of a call; `flowExpired` for one of another purpose.
    func open(_ call: FlowCall, _ purpose: FlowPurpose? = nil) throws(Rejection) -> OpenedFlow {
        try tokens.open(call, purpose?.kinds, clients)
    }

    /// The context of a flow, as it is pending.
    func pending(_ flow: OpenedFlow) async throws(Rejection) -> FlowContext {
        let context = try await load(flow.id, flow.kind, flow.request)
        guard flow.token.revision == nil || flow.token.revision == context.revision else { throw .flowExpired }
        return context
    }

    /// Loads a flow for a call.
    ///
    /// - Throws: `flowExpired` for a flow that has ended or can't be opened any more.
    func load(_ id: UUID, _ kind: FlowKind, _ request: SignInRequest) async throws(Rejection) -> FlowContext {
        // A signed-in user guesses at an own code: strangers and networks have no part in that budget.
        let isOwn = kind == .factor || kind == .address
        let (address, mark) = isOwn ? (nil, nil) : (request.caller.address, request.device.known)
        let loaded = try await rejecting(logger) {
            try await store.load(
                id, kind, client: request.client.id, mark: mark, from: address,
                asking: isOwn ? [] : networkBuckets(request)
            ) { [self] in context(id, kind, $0, account: $1, factors: $2, request) }
        }
        guard var context = loaded?.context, let loaded else { throw .flowExpired }
        if countsByNetwork(context) { context.guessWait = max(context.guessWait, loaded.networkWait) }
        let revision = context.revision
        context.charging = { [store, logger] (resendWait: Int?) async throws(Rejection) in
            try await rejecting(logger) { try await store.charge(id, revision: revision, resendWait: resendWait) }
        }
        return context
    }

    /// The context of a new flow, or of a stored one before its row is read.
    func context(
        _ id: UUID, _ kind: FlowKind, _ flow: SignInFlow, account: UUID? = nil,
        factors: AccountFactors = AccountFactors(), _ request: SignInRequest
    ) -> FlowContext {
        let mark = request.device.token.flatMap(devices.mark)
        let isRemembered = mark.map { factors.remembered.contains(Hex.encode($0.digest)) } ?? false
        let course = SignInCourse(
            factors: factors,
            isDemandedByClient: request.client.demandsSecondFactor || flow.session != nil,
            isRemembered: isRemembered && flow.session == nil && flow.linkFlow == nil && flow.wish == nil,
            hasCustomChallenge: request.client.hasCustomChallenge && tools.challenge != nil,
            temporaryPasswordsSince: tools.now() - temporaryPasswordLife,
            isRenewal: flow.renews, wish: flow.wish)
        return FlowContext(id, kind, flow, account: account, factors: factors, course: course, request, tools)
    }

    /// The pending step of a flow with its token.
    ///
    /// - Parameters:
    ///   - revision: the revision that the token names; nil for the loaded one.
    ///   - expiresIn: the remaining time in seconds; nil for a step that was just opened.
    func shown(
        _ context: FlowContext, _ recoveryCodes: [String]? = nil, revision: Int? = nil, expiresIn: Int? = nil
    ) throws(Rejection) -> PendingStep {
        guard let step = context.flow.progress.step else { throw .internalError }
        let token = FlowReference(
            context.id, context.kind, client: context.request.client.id,
            revision: context.request.renewsFlowTokens ? revision ?? context.revision : nil)
        return PendingStep(
            flow: tokens.text(token), expiresIn: expiresIn ?? step.life, step: try step.shown(context),
            recoveryCodes: recoveryCodes, wish: context.flow.wish)
    }
}
