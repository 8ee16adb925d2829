import Accounts
import Cryptography
import Foundation
import JSON

/// The changes that a right answer makes beside the flow itself.
extension FlowService {
    /// An account's first second factor comes with recovery codes.
    func newRecoveryCodes(_ enrolment: Enrolment, _ context: StepContext) -> [String]? {
        guard case .factor = enrolment, context.factors.recoveryCodes == 0 else { return nil }
        return tools.recoveryCodes.make()
    }

    func changes(_ right: Right, _ codes: [String]?, _ turn: Turn) -> [FlowEffect] {
        right.effects + (right.enrols.map { [effect(of: $0, codes, account: turn.loaded.account)] } ?? [])
    }

    func effect(of enrolment: Enrolment, _ codes: [String]?, account: UUID?) -> FlowEffect {
        switch enrolment {
        case .passkey(let passkey): return .addPasskey(passkey)
        case .factor(let factor):
            let digests = account.flatMap { account in
                codes?.map { tools.recoveryCodes.digest($0, account: account) }
            }
            return .addFactor(factor, recoveryCodes: digests)
        }
    }

    /// The effects of the last answer: a new password, a remembered device.
    func finalEffects(_ flow: SignInFlow, _ device: KnownDevices.Mark, _ turn: Turn) -> [FlowEffect] {
        var effects: [FlowEffect] = []
        if let verifiers = flow.progress.newPassword {
            let isOwn = flow.proofs.has(.password)
            effects.append(
                .setPassword(
                    verifiers, reason: isOwn ? "temporary" : "reset",
                    through: isOwn ? nil : flow.proofs.list.first?.thing
                ))
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

    /// A known device keeps its mark.
    ///
    /// Other devices get a new one, and so does every device after a new password.
    ///
    /// The mark of a remembered device is valid under every name of the account.
    func deviceMark(_ flow: SignInFlow, _ turn: Turn) -> KnownDevices.Mark {
        let name = SignInName.throttleKey(flow.name ?? turn.loaded.account?.text ?? "")
        guard flow.progress.newPassword == nil else { return devices.new(for: name) }
        if let token = turn.request.device.token, let mark = devices.mark(token),
            turn.context.factors.remembered.contains(Hex.encode(mark.digest))
        {
            return mark
        }
        return knownMark(turn.loaded, turn.request) ?? devices.new(for: name)
    }
}
