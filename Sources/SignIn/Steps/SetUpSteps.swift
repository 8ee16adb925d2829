import Accounts
import Cryptography
import Foundation
import Messages
import Sessions
import Vocabulary

/// The choice of a second factor to set up, where one is demanded and the account has none.
struct SetUpSelectionStep: FlowStep {
    static let kind = "set_up_selection"
    let offered: [SignInCourse.SetUp]

    init(_ offered: [SignInCourse.SetUp]) { self.offered = offered }

    var isGuessed: Bool { false }

    func shown(_ context: FlowContext) -> SignInStep {
        .factorSetUpSelection(offered.map { StepChoice($0.kind) })
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let name = try response.answer.chosen()
        guard let chosen = offered.first(where: { $0.rawValue == name }) else {
            throw .invalidField(.factor, .notOffered.accepting(offered.map(\.rawValue)))
        }
        return .goOn(chosen.step(context))
    }
}

extension SignInCourse.SetUp {
    var kind: StepChoice.Kind {
        switch self {
        case .totp: .totp
        case .email: .email
        case .sms: .sms
        }
    }

    func step(_ context: FlowContext) -> any FlowStep {
        switch self {
        case .totp: TOTPSetUpStep()
        case .email: AddressSetUpStep()
        case .sms:
            context.factors.phones.lazy
                .filter { !context.flow.proofs.include(Proof(.smsCode, address: $0)) }.compactMap(PhoneNumber.init)
                .first.map { CodeSetUpStep(.phone($0)) } ?? TOTPSetUpStep()
        }
    }
}

/// A new secret for an authenticator app, proved by its first code.
struct TOTPSetUpStep: FlowStep {
    static let kind = "totp_set_up"
    let secret: [UInt8]

    init() { secret = RandomBytes.system(TOTP.secretLength) }

    func shown(_ context: FlowContext) -> SignInStep {
        let account = context.factors.emails.first?.text ?? context.flow.name ?? context.factors.displayName
        return .totpSetUp(
            TOTPSecret(
                secret: Base32.encode(secret),
                uri: TOTP.uri(secret: secret, issuer: context.tools.serviceName, account: account ?? "account")))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let typed = try response.answer.typedCode()
        let seconds = Int(context.tools.now().timeIntervalSince1970)
        guard let step = TOTP.step(of: typed, secret: secret, at: seconds, after: nil) else {
            return .wrong
        }
        let sealed = context.tools.box.seal(secret, purpose: TOTPStep.purpose)
        let factor = NewFactor(
            id: context.tools.newID(), kind: .totp, name: response.cleanFactorName, sealed: sealed, counter: step)
        return .right(Right(proof: Proof(.totp), enrols: .factor(factor)))
    }
}

/// Shows the recovery codes until the user has written them down; any answer completes it.
struct RecoveryCodesStep: FlowStep {
    static let kind = "recovery_codes"
    var isSprayed: Bool { false }

    func shown(_ context: FlowContext) -> SignInStep { .recoveryCodes }

    func isDue(_ next: SignInCourse.Next) -> Bool { true }

    func judge(_ response: StepResponse, _ context: FlowContext) -> Verdict { .right(Right()) }
}
