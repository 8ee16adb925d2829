import Accounts
import Foundation

/// What a right answer writes for a new factor.
extension StepTools {
    /// An account's first second factor comes with recovery codes.
    func newRecoveryCodes(_ enrolment: Enrolment, _ context: FlowContext) -> [String]? {
        guard case .factor = enrolment, context.factors.recoveryCodes == 0 else { return nil }
        return recoveryCodes.make()
    }

    func effect(of enrolment: Enrolment, _ codes: [String]?, account: UUID?) -> FlowEffect {
        switch enrolment {
        case .passkey(let passkey): return .addPasskey(passkey)
        case .factor(let factor):
            let digests = account.flatMap { account in
                codes?.map { recoveryCodes.digest($0, account: account) }
            }
            return .addFactor(factor, recoveryCodes: digests)
        }
    }
}
