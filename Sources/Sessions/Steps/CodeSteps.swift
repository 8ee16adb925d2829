import Accounts
import Foundation

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

    func shown(_ context: StepContext) -> SignInStep {
        guard let factor else {
            return .firstFactorCode(destination.delivery, StepOptions(choices: context.otherFirstFactors(than: self)))
        }
        return .secondFactorCode(destination.delivery, context.options(besides: factor))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool {
        next.candidates.contains { if case .factor(let asked) = $0 { asked.id == factor } else { false } }
    }

    func judge(_ response: StepResponse, _ context: StepContext) throws(Rejection) -> Verdict {
        .right(
            Right(
                proof: destination.proof, effects: factor.map { [.usedFactor($0)] } ?? [],
                code: try response.answer.typedCode()))
    }
}

/// A code to a mailbox or a telephone that is to be a second factor.
struct CodeSetUpStep: FlowStep {
    static let kind = "code_set_up"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var dispatch: CodeDispatch? { CodeDispatch(destination: destination, purpose: .addressProof) }

    func shown(_ context: StepContext) -> SignInStep {
        .codeSetUp(destination.delivery)
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: StepResponse, _ context: StepContext) throws(Rejection) -> Verdict {
        let factor = NewFactor(
            id: context.tools.newID(), kind: destination.medium == .sms ? .sms : .email, name: nil,
            address: destination.text, addressKey: destination.key)
        return .right(Right(proof: destination.proof, code: try response.answer.typedCode(), enrols: .factor(factor)))
    }
}

/// Which mailbox is to be the second factor.
struct AddressSetUpStep: FlowStep {
    static let kind = "address_set_up"

    var isGuessed: Bool { false }

    func shown(_ context: StepContext) -> SignInStep { .emailSetUp(hint: nil) }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.isSetUp }

    func judge(_ response: StepResponse, _ context: StepContext) throws(Rejection) -> Verdict {
        guard let address = EmailAddress(try response.answer.typedEmail()) else {
            throw .invalidField(.email, .notAnEmailAddress)
        }
        let destination = Destination.email(address)
        // A mailbox that let the person in is no second thing, nor is the one that the password came by.
        guard !context.flow.proofs.include(destination.proof),
            !context.flow.proofs.has(.password) || context.factors.passwordSetThrough != destination.proof.thing
        else { throw .factorNotIndependent }
        return .goOn(CodeSetUpStep(destination))
    }
}

/// A code and, with it, the password that is to be the account's from now on.
struct ResetPasswordStep: FlowStep {
    static let kind = "reset_password"
    private let destination: Destination

    init(_ destination: Destination) { self.destination = destination }

    var dispatch: CodeDispatch? { CodeDispatch(destination: destination, purpose: .reset) }
    var isFirst: Bool { true }

    func shown(_ context: StepContext) -> SignInStep {
        // The mailbox of an unknown user name is invented, ending included.
        guard case .email(let address) = destination, context.flow.beginsWithUserName else {
            return .resetPassword(destination.delivery)
        }
        return .resetPassword(destination.delivery(masked: address.maskedWithoutEnding))
    }

    func judge(_ response: StepResponse, _ context: StepContext) async throws(Rejection) -> Verdict {
        let (code, password) = try response.answer.typedReset(most: PasswordPolicy.maximumBytes + 1)
        // Checked before the code and without the account's own address: a complaint costs no try and reveals neither.
        try context.tools.policy.check(password, context.flow.name.flatMap(EmailAddress.init))
        // Before the code is looked at, too: who is turned away learns nothing of it.
        let place = try await context.hashingPlace()
        guard context.isRight(code) else { return .wrong }
        // Only a right code is told this: else anybody could try passwords here.
        guard try await isNew(password, context, in: place) else { return .refused(.passwordUnchanged) }
        // The hash shows in the time, so whoever asks often at once may see which code was right. Each of those answers
        // uses up a try, paid for or not (judge_flow_answer): by then the code opens nothing.
        let hash = try await hash(newPassword: password, context, in: place)
        return .right(Right(proof: destination.proof, code: code, newPassword: hash))
    }
}

extension Destination {
    /// What accounts know the address or number by.
    var key: String {
        switch self {
        case .email(let address): address.key
        case .phone(let number): number.key
        }
    }

    /// What a code that came back from there proves.
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
