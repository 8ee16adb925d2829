import Cryptography
import Foundation
import Sessions
import Vocabulary

extension FlowService {
    /// One answer with its flow.
    struct Turn: Sendable {
        let flow: UUID
        let kind: FlowKind
        let loaded: FlowStore.Loaded
        let context: StepContext
        let request: SignInRequest
    }

    /// Carries out a verdict: a right answer leads to the next step or to a session.
    func settle(_ verdict: Verdict, _ response: StepResponse, _ turn: Turn) async throws(Rejection) -> FlowResult {
        switch verdict {
        case .goOn(let step): return .outcome(.nextStep(try await replace(with: step, turn)))
        case .wrong: return .outcome(try await write(nil, turn.context.flow, turn))
        case .refused(let rejection): return .outcome(try await refuse(rejection, turn))
        case .right(let right): return .outcome(try await settle(right, response, turn))
        case .again(let step, let rejection, let triesLeft): throw try await keep(step, rejection, triesLeft, turn)
        case .ended(let rejection):
            _ = try await end(turn)
            throw rejection
        case .inBrowser(let provider):
            _ = try await end(turn)
            return .inBrowser(provider: provider)
        case .verified(let proof):
            guard try await end(turn) else { throw .flowExpired }
            return .verified(proof)
        }
    }

    private func settle(
        _ right: Right, _ response: StepResponse, _ turn: Turn
    ) async throws(Rejection) -> SignInOutcome {
        // The database compares the code again, with the flow's row locked. Before that, the next step stays unknown.
        if let code = right.code, !turn.context.isRight(code) {
            return try await write(nil, turn.context.flow, turn)
        }
        var flow = turn.context.flow
        // A renewal keeps nothing of unknown age, so that two proofs of different age are no two factors.
        if turn.context.course.isRenewal, right.proof != nil { flow.proofs = Proofs() }
        flow.proofs = flow.proofs.adding(right.proof)
        flow.progress.newPassword = right.newPassword ?? flow.progress.newPassword
        flow.progress.provedDevice = right.device ?? flow.progress.provedDevice
        // A new factor proves nothing about the account: only factors that it had before count.
        if right.proof != nil, right.enrols == nil { flow.provedAt = tools.now() }
        if response.remembersDevice { flow.progress.remembersDevice = true }
        return try await write(right, flow, turn)
    }

    /// Counts the answer as wrong and returns the reason: parallel answers learn no more than wrong ones do.
    private func refuse(_ rejection: Rejection, _ turn: Turn) async throws(Rejection) -> SignInOutcome {
        do throws(Rejection) {
            return try await write(nil, turn.context.flow, turn)
        } catch .codeWrong {
            throw rejection
        }
    }

    /// The step that is due; a confirmed device proves itself in place of an enrolled second factor.
    func stepDue(_ flow: SignInFlow, _ turn: Turn) async throws(Rejection) -> (any FlowStep)? {
        guard let step = try nextStep(flow, turn.context) else { return nil }
        return try await deviceStep(flow, turn) ?? step
    }

    private func nextStep(_ flow: SignInFlow, _ context: StepContext) throws(Rejection) -> (any FlowStep)? {
        var course = context.course
        if flow.progress.provedDevice != nil { course.isRemembered = true }
        switch course.next(after: flow.proofs, choosesPassword: flow.progress.newPassword != nil) {
        case .signedIn: return nil
        case .secondFactor(let candidates):
            if let preferred = candidates.first(where: \.isPreferred) { return preferred.step(tools) }
            let asked = candidates.filter { $0 != .recoveryCode }
            return asked.count > 1 ? SecondFactorSelectionStep() : (asked.first ?? .recoveryCode).step(tools)
        // A step-up never sets up a factor: the session alone would then count as two factors.
        case .setUp where flow.session != nil: throw .noSecondFactorLeft
        case .setUp(let kinds): return kinds.count == 1 ? kinds[0].step(context) : SetUpSelectionStep(kinds)
        case .newPassword: return NewPasswordStep()
        case .passwordExpired: throw .temporaryPasswordExpired
        case .noSecondFactorLeft: throw .noSecondFactorLeft
        }
    }

    /// Writes an answer; nil is a wrong one.
    func write(
        _ right: Right?, _ flow: SignInFlow, _ turn: Turn
    ) async throws(Rejection) -> SignInOutcome {
        let codes = right?.enrols.flatMap { newRecoveryCodes($0, turn.context) }
        let (next, refusal) = right == nil ? (flow, nil) : try await standing(flow, right?.next, codes, turn)
        let device = deviceMark(flow, turn)
        var effects = right.map { changes($0, codes, turn) } ?? []
        if next == nil { effects += finalEffects(flow, device, turn) }
        let session = try starter.request(
            for: turn.request, provider: flow.provider, proofs: flow.proofs,
            provedAt: flow.provedAt ?? Date(timeIntervalSince1970: 0), device: device)
        let answer = FlowStore.Answer(
            flow: turn.flow, revision: turn.loaded.revision,
            isRight: Self.isRight(right),
            codeDigest: right?.code.map { digest($0, turn.flow) }, effects: effects, next: next,
            sending: right == nil ? FlowStore.Sending() : sending(next?.progress.step, turn), session: session,
            asking: asking(turn.loaded, turn.request), mark: turn.request.device.known)
        switch try await rejecting(logger, { try await store.answer(answer, account: turn.loaded.account) }) {
        case .refused(.codeWrong(let left, _)):
            let refusal = turn.context.flow.progress.step?.wrong(triesLeft: left) ?? .codeWrong(triesLeft: left)
            throw refusal.about(turn.loaded.account)
        case .refused(let rejection): throw rejection
        case .nextStep:
            if let refusal { throw refusal }
            guard let next else { throw .internalError }
            try await send(answer.sending, next.progress.step?.dispatch?.purpose, of: next)
            return .nextStep(try pending(next, turn, codes, revision: turn.loaded.revision + 1))
        case .signedIn(let account):
            return .signedIn(try await signedIn(session, account, flow, turn, device.token, codes))
        }
    }

    /// The flow at its next step; nil at its end.
    ///
    /// A dead end is a flow without a step, with a refusal for a right answer. The database decides whether it is right.
    private func standing(
        _ flow: SignInFlow, _ completing: (any FlowStep)?, _ codes: [String]?, _ turn: Turn
    ) async throws(Rejection) -> (flow: SignInFlow?, refusal: Rejection?) {
        // A browser that has left for the app can not show the codes: it waits until they are written down.
        let isShowing = codes != nil && turn.request.handing != .tokens
        var flow = flow
        if let completing {
            flow.progress.step = completing
            return (budgeted(flow, turn.request.client), nil)
        }
        do throws(Rejection) {
            guard let step = isShowing ? RecoveryCodesStep() : try await stepDue(flow, turn) else {
                return (nil, nil)
            }
            var context = turn.context
            context.flow = flow
            flow.progress.step = try await available(step, context)
            return (budgeted(flow, turn.request.client), nil)
        } catch {
            guard error == .noSecondFactorLeft || error == .temporaryPasswordExpired else { throw error }
            flow.progress.step = nil
            return (budgeted(flow, turn.request.client), error)
        }
    }

    /// Nil where the database compares a code.
    static func isRight(_ right: Right?) -> Bool? {
        guard let right else { return false }
        return right.code == nil ? true : nil
    }

    func changes(_ right: Right, _ codes: [String]?, _ turn: Turn) -> [FlowEffect] {
        right.effects + (right.enrols.map { [effect(of: $0, codes, account: turn.loaded.account)] } ?? [])
    }

    /// The effects of the last answer: a new password, a remembered device.
    func finalEffects(_ flow: SignInFlow, _ device: KnownDevices.Mark, _ turn: Turn) -> [FlowEffect] {
        var effects: [FlowEffect] = []
        if let verifiers = flow.progress.newPassword {
            let isOwn = flow.proofs.has(.password)
            let first = isOwn ? nil : flow.proofs.list.first
            effects.append(
                .setPassword(
                    verifiers, reason: isOwn ? "temporary" : "reset", through: first?.thing,
                    isCoded: first?.kind == .emailCode || first?.kind == .smsCode))
        }
        if let digest = flow.progress.provedDevice {
            effects.append(.usedRememberedDevice(digest: digest))
        } else if turn.context.course.reliesOnRememberedDevice(flow.proofs) {
            effects.append(.usedRememberedDevice(digest: device.digest))
        }
        if flow.progress.remembersDevice, flow.proofs.isMultiFactor {
            effects.append(
                .rememberDevice(
                    id: tools.newID(), digest: device.digest, name: turn.request.device.name, life: Self.rememberedLife)
            )
        }
        return effects
    }

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
}
