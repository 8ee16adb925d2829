import Accounts
import Cryptography
import Foundation
import JSON
import Sessions
import Vocabulary

/// The recovery codes, the factor and the device mark that a right answer writes.
extension FlowService {
    /// An account's first second factor comes with recovery codes.
    func newRecoveryCodes(_ enrolment: Enrolment, _ context: StepContext) -> [String]? {
        guard case .factor = enrolment, context.factors.recoveryCodes == 0 else { return nil }
        return tools.recoveryCodes.make()
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
