import Accounts
import Sessions
import Vocabulary

/// What follows from an answer: the next step, and the effects that the statement of the answer carries out.
extension FlowContext {
    /// The step that the course asks for after the proofs of a flow; nil where it is signed in.
    func nextStep(_ flow: SignInFlow) throws(Rejection) -> (any FlowStep)? {
        switch next(flow, isRemembered: flow.progress.provedDevice.map { _ in true }) {
        case .signedIn: return nil
        case .secondFactor(let candidates):
            if let preferred = candidates.first(where: \.isPreferred) { return preferred.step }
            let asked = candidates.filter { $0 != .recoveryCode }
            return asked.count > 1 ? SecondFactorSelectionStep() : (asked.first ?? .recoveryCode).step
        // A step-up never sets up a factor: the session alone would then count as two factors.
        case .setUp where flow.session != nil: throw .noSecondFactorLeft
        case .setUp(let kinds): return kinds.count == 1 ? kinds[0].step(self) : SetUpSelectionStep(kinds)
        case .newPassword: return NewPasswordStep()
        case .passwordExpired: throw .temporaryPasswordExpired
        case .noSecondFactorLeft: throw .noSecondFactorLeft
        }
    }

    /// The effects of a right answer.
    func effects(of right: Right, _ codes: [String]?) -> [FlowEffect] {
        right.effects + (right.enrols.map { [tools.effect(of: $0, codes, account: account)] } ?? [])
    }

    /// The effects of the last answer: a new password, a remembered device.
    func finalEffects(_ flow: SignInFlow, _ device: KnownDevices.Mark) -> [FlowEffect] {
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
        } else if course.reliesOnRememberedDevice(flow.proofs) {
            effects.append(.usedRememberedDevice(digest: device.digest))
        }
        if flow.progress.remembersDevice, flow.proofs.isMultiFactor {
            effects.append(
                .rememberDevice(
                    id: tools.newID(), digest: device.digest, name: request.device.name,
                    life: FlowService.rememberedLife)
            )
        }
        return effects
    }
}

extension Right? {
    /// Whether an answer is right; nil where the database compares a code.
    var isRight: Bool? {
        guard let self else { return false }
        return self.code == nil ? true : nil
    }
}
