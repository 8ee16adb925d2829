import Accounts
import Foundation
import Messages
import Sessions
import Vocabulary

/// A code that was sent to a mailbox or a telephone.
struct CodeStep: FlowStep {
    static let kind = "code"
    private let destination: Destination
    /// The second factor that the code is asked for; nil for a first factor.
    private let factor: UUID?

    /// A first factor.
    init(_ destination: Destination) { (self.destination, factor) = (destination, nil) }

    /// A second factor; nil for one that no code goes to.
    init?(_ factor: AccountFactors.Factor) {
        guard let destination = Destination(factor) else { return nil }
        (self.destination, self.factor) = (destination, factor.id)
    }

    var dispatch: CodeDispatch? {
        CodeDispatch(destination: destination, purpose: factor == nil ? .signIn : .secondFactor)
    }

    func shown(_ context: FlowContext) -> SignInStep {
        guard let factor else {
            return .firstFactorCode(
                context.delivery(to: destination), StepOptions(choices: context.otherFirstFactors(than: self)))
        }
        return .secondFactorCode(destination.delivery, context.options(besides: factor))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool {
        next.candidates.contains { if case .factor(let asked) = $0 { asked.id == factor } else { false } }
    }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        .right(
            Right(
                proof: destination.proof, effects: factor.map { [.usedFactor($0)] } ?? [],
                code: try response.answer.typedCode()))
    }
}

/// A code to a proved mailbox or number of the account, where a session is renewed.
struct AddressProofStep: FlowStep {
    static let kind = "address_proof"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var dispatch: CodeDispatch? { CodeDispatch(destination: destination, purpose: .secondFactor) }

    func shown(_ context: FlowContext) -> SignInStep {
        .secondFactorCode(
            destination.delivery,
            StepOptions(
                choices: context.choices(besides: .address(destination)), offersRemembering: false))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.address(destination)) }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        .right(Right(proof: destination.proof, code: try response.answer.typedCode()))
    }
}

/// A code to a mailbox or a telephone that becomes a second factor.
struct CodeSetUpStep: FlowStep {
    static let kind = "code_set_up"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var dispatch: CodeDispatch? { CodeDispatch(destination: destination, purpose: .addressProof) }

    func shown(_ context: FlowContext) -> SignInStep {
        .codeSetUp(destination.delivery)
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    /// Whether an answer is the address to which the code was sent.
    func isSent(to answer: StepAnswer) -> Bool {
        guard case .email(let text) = answer else { return false }
        return EmailAddress(text).map(Destination.email)?.key == destination.key
    }

    /// Another address in place of the code corrects the first one: the code goes there.
    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        if case .email = response.answer { return try AddressSetUpStep().judge(response, context) }
        let factor = NewFactor(
            id: context.tools.newID(), kind: destination.medium == .sms ? .sms : .email, name: nil,
            address: destination.text, addressKey: destination.key)
        return .right(Right(proof: destination.proof, code: try response.answer.typedCode(), enrols: .factor(factor)))
    }
}

/// The choice of a mailbox as second factor.
struct AddressSetUpStep: FlowStep {
    static let kind = "address_set_up"

    var isGuessed: Bool { false }

    func shown(_ context: FlowContext) -> SignInStep { .emailSetUp(hint: nil) }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        guard let address = EmailAddress(try response.answer.typedEmail()) else {
            throw .invalidField(.email, .notAnEmailAddress)
        }
        let destination = Destination.email(address)
        // A mailbox that was the first factor is no second thing, and neither is the mailbox of the password's reset.
        guard !context.flow.proofs.include(destination.proof),
            !context.flow.proofs.has(.password) || context.factors.passwordSetThrough != destination.proof.thing
        else { throw .factorNotIndependent }
        return .goOn(CodeSetUpStep(destination))
    }
}

extension FlowContext {
    /// The destination of a first code, as anyone may see it.
    ///
    /// The mailbox of an unknown user name is invented, ending included.
    fileprivate func delivery(to destination: Destination) -> SentCode {
        guard case .email(let address) = destination, flow.beginsWithUserName else { return destination.delivery }
        return destination.delivery(masked: address.maskedWithoutEnding)
    }
}

/// A code, together with the account's new password.
struct ResetPasswordStep: FlowStep {
    static let kind = "reset_password"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var dispatch: CodeDispatch? { CodeDispatch(destination: destination, purpose: .reset) }
    var isFirst: Bool { true }

    func shown(_ context: FlowContext) -> SignInStep {
        .resetPassword(context.delivery(to: destination))
    }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        if case .code = response.answer {
            let code = try response.answer.typedCode()
            return .right(Right(code: code, next: ResetWithProvedCodeStep(destination)))
        }
        let (code, password) = try response.answer.typedReset(most: PasswordPolicy.maximumBytes + 1)
        // Checked before the code and without the account's own address: a complaint costs no try and reveals neither.
        try context.tools.policy.check(password, context.flow.name.flatMap(EmailAddress.init))
        // Taken before the code is checked: a refusal for overload then reveals nothing about the code.
        let place = try await context.hashingPlace()
        guard context.isRight(code) else { return .wrong }
        // Stated only for a right code: otherwise any caller could test passwords here.
        guard try await isNew(password, context, in: place) else { return .refused(.passwordUnchanged) }
        // The time of the hash can reveal a right code among many concurrent answers. Each of those uses up a try, even
        // beyond the budget (judge_flow_answer), so the code is no longer valid by then.
        let verifiers = try await verifiers(of: password, context, in: place)
        return .right(Right(proof: destination.proof, code: code, newPassword: verifiers))
    }
}

/// The new password of a reset with a code that was proved before.
struct ResetWithProvedCodeStep: FlowStep {
    static let kind = "reset_with_proved_code"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var isFirst: Bool { true }
    var isSprayed: Bool { false }

    func shown(_ context: FlowContext) -> SignInStep { .newPassword(requiredAttributes: []) }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        let password = try response.answer.typedNewPassword(most: PasswordPolicy.maximumBytes + 1).password
        try context.tools.policy.check(password, context.flow.name.flatMap(EmailAddress.init))
        let place = try await context.hashingPlace()
        guard context.account != nil else { return .wrong }
        guard try await isNew(password, context, in: place) else { return .refused(.passwordUnchanged) }
        let verifiers = try await verifiers(of: password, context, in: place)
        return .right(Right(proof: destination.proof, newPassword: verifiers))
    }
}

extension Destination {
    /// The key of account look-ups.
    var key: String {
        switch self {
        case .email(let address): address.key
        case .phone(let number): number.key
        }
    }

    /// The proof of a code that was sent there.
    var proof: Proof {
        switch self {
        case .email(let address): Proof(.emailCode, address: address.key)
        case .phone(let number): Proof(.smsCode, address: number.key)
        }
    }

    var delivery: SentCode { delivery(masked: masked) }

    fileprivate func delivery(masked: String) -> SentCode {
        SentCode(
            medium: medium, destination: masked, codeLength: FlowService.codeLength,
            resendAfter: FlowService.resendWait)
    }

    fileprivate init?(_ factor: AccountFactors.Factor) {
        guard let address = factor.address, factor.kind != .totp else { return nil }
        self.init(factor.kind == .sms ? .sms : .email, address)
    }
}
