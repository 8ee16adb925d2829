import Accounts
import Cryptography
import Foundation
import JSON
import Providers

/// Which second factor to set up, where one is demanded and there is none.
struct SetUpSelectionStep: FlowStep {
    static let kind = "set_up_selection"
    let offered: [SignInCourse.SetUp]

    init(_ offered: [SignInCourse.SetUp]) { self.offered = offered }

    init?(stored: JSONObject) {
        offered = (stored["offered"]?.array ?? []).compactMap { $0.string.flatMap(SignInCourse.SetUp.init(rawValue:)) }
    }

    var isGuessed: Bool { false }
    var stored: JSONObject { ["offered": .array(offered.map { .string($0.rawValue) })] }

    func shown(_ context: StepContext) -> SignInStep {
        var step = SignInStep("continue_sign_in_with_mfa_setup_selection")
        step.choices = offered.map { StepChoice(id: $0.rawValue, kind: $0.rawValue) }
        return step
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: JSONObject, _ context: StepContext) throws(Rejection) -> Verdict {
        let name = try response.text("factor", most: 40)
        guard let chosen = offered.first(where: { $0.rawValue == name }) else {
            throw .invalidMember(pointer: "/response/factor", reason: "not_offered")
        }
        return .goOn(chosen.step(context))
    }
}

extension SignInCourse.SetUp {
    func step(_ context: StepContext) -> any FlowStep {
        switch self {
        case .totp: TOTPSetUpStep(context.tools)
        case .email: AddressSetUpStep()
        case .sms:
            context.factors.phones.lazy
                .filter { !context.flow.proofs.include(Proof(.smsCode, address: $0)) }.compactMap(PhoneNumber.init)
                .first.map { CodeSetUpStep(.phone($0)) } ?? TOTPSetUpStep(context.tools)
        }
    }
}

/// A new secret for an authenticator app, proved by its first code.
struct TOTPSetUpStep: FlowStep {
    static let kind = "totp_set_up"
    private let sealed: [UInt8]

    init(_ tools: StepTools) {
        sealed = tools.box.seal(tools.random(TOTP.secretLength), purpose: TOTPStep.purpose)
    }

    init?(stored: JSONObject) {
        guard let sealed = stored["sealed"]?.string.flatMap({ Data(base64Encoded: $0) }) else { return nil }
        self.sealed = Array(sealed)
    }

    var stored: JSONObject { ["sealed": .string(Data(sealed).base64EncodedString())] }

    func shown(_ context: StepContext) throws(Rejection) -> SignInStep {
        let secret = try secret(context.tools)
        var step = SignInStep("continue_sign_in_with_totp_setup")
        let account = context.factors.emails.first?.text ?? context.flow.name ?? context.factors.displayName
        step.totp = TOTPSecret(
            secret: Base32.encode(secret),
            uri: TOTP.uri(secret: secret, issuer: context.tools.serviceName, account: account ?? "account"))
        return step
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: JSONObject, _ context: StepContext) throws(Rejection) -> Verdict {
        let typed = try response.code()
        let seconds = Int(context.tools.now().timeIntervalSince1970)
        guard let step = TOTP.step(of: typed, secret: try secret(context.tools), at: seconds, after: nil) else {
            return .wrong
        }
        let name = try response.optionalText("name", most: 400).flatMap { DisplayName.clean($0, limit: 100) }
        let factor = NewFactor(id: context.tools.newID(), kind: .totp, name: name, sealed: sealed, counter: step)
        return .right(Right(proof: Proof(.totp), enrols: .factor(factor)))
    }

    private func secret(_ tools: StepTools) throws(Rejection) -> [UInt8] {
        guard let secret = try? tools.box.open(sealed, purpose: TOTPStep.purpose) else { throw .flowExpired }
        return secret
    }
}

/// The pause in which a person writes the recovery codes down: any answer goes on.
struct RecoveryCodesStep: FlowStep {
    static let kind = "recovery_codes"
    var isSprayed: Bool { false }

    init() {}
    init?(stored: JSONObject) {}
    var stored: JSONObject { [:] }

    func shown(_ context: StepContext) -> SignInStep { SignInStep("continue_sign_in_with_recovery_codes") }

    func isDue(_ next: SignInCourse.Next) -> Bool { true }

    func judge(_ response: JSONObject, _ context: StepContext) -> Verdict { .right(Right()) }
}
