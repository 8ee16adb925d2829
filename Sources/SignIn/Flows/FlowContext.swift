import Accounts
import Clients
import Cryptography
import Foundation
import JSON
import Messages
import Sessions
import Vocabulary

/// A pending flow in one call: the facts that its steps are shown and judged by.
struct FlowContext: Sendable {
    let id: UUID
    let kind: FlowKind
    let request: SignInRequest
    /// The flow as it is stored, or as an answer is about to change it.
    var flow: SignInFlow
    /// Nil for an unknown name: every answer is wrong, and none reveals it.
    let account: UUID?
    /// Empty for an unknown name.
    let factors: AccountFactors
    let course: SignInCourse
    let tools: StepTools
    /// The revision of the stored flow.
    var revision = 0
    /// The number of wrong answers to the pending step, of the flow's owner or of others.
    var failures = 0
    /// The remaining time of the step, in seconds.
    var secondsLeft = FlowService.life
    /// The stored hash of the account's password.
    var passwordHash: String?
    /// The hashes of the account's password and of those that an operator replaced: a new password may repeat none.
    var replacedHashes: [String] = []
    /// The subject of the flow's identity.
    var subject: String?
    /// The wait before the next guess, in seconds.
    var guessWait = 0
    /// The digest of the pending code; nil without a code or for an unknown name.
    var codeDigest: [UInt8]?
    /// Charges one answer before its verdict, and returns the number of further wrong answers; nil for a new flow.
    var charging: (@Sendable (_ resendWait: Int?) async throws(Rejection) -> Int)?

    init(
        _ id: UUID, _ kind: FlowKind, _ flow: SignInFlow, account: UUID?, factors: AccountFactors,
        course: SignInCourse, _ request: SignInRequest, _ tools: StepTools
    ) {
        (self.id, self.kind, self.flow, self.account, self.factors) = (id, kind, flow, account, factors)
        (self.course, self.request, self.tools) = (course, request, tools)
    }

    /// The second factors that may be asked now: none before a first factor, so that a name reveals none.
    var candidates: [SignInCourse.Candidate] {
        guard !flow.proofs.list.isEmpty || flow.session != nil else { return [] }
        return next(flow).candidates
    }

    /// What the course asks for after the proofs of a flow.
    ///
    /// - Parameter isRemembered: whether the device replaces the second factor; nil for what the account knows.
    func next(_ flow: SignInFlow, isRemembered: Bool? = nil) -> SignInCourse.Next {
        var course = course
        course.isRemembered = isRemembered ?? course.isRemembered
        return course.next(after: flow.proofs, choosesPassword: flow.progress.newPassword != nil)
    }

    /// The SRP verifiers to make with a password of the account.
    func srpOrder() async throws(Rejection) -> SRPOrder? {
        guard let account, let names = tools.names else { return nil }
        return try await names.order(for: account, in: request.client.srpRealm, names: factors.signInNames)
    }

    /// A step-up proves a second factor now, on every device.
    var offersRemembering: Bool { flow.session == nil }

    /// The candidate with this id, or the only one of this kind.
    func candidate(named name: String) -> SignInCourse.Candidate? {
        candidates.first { $0.choice.id == name } ?? candidates.first { $0.choice.kind.rawValue == name }
    }

    /// An answer may choose another factor, and a recovery code replaces each of them.
    func judge(_ response: StepResponse, at step: any FlowStep) async throws(Rejection) -> Verdict {
        guard isDue(step) else { throw .flowExpired }
        if case .choice(let name) = response.answer {
            if let chosen = candidate(named: name)?.step ?? otherFirstFactor(named: name) {
                return .goOn(chosen)
            }
        }
        if step.isGuessed { try checkBudget() }
        if case .recoveryCode = response.answer, candidates.contains(.recoveryCode) {
            return try RecoveryCodeStep().judge(response, self)
        }
        return try await step.judge(response, self)
    }

    /// Whether the step is still due: the account may gain a factor after the step was shown.
    func isDue(_ step: any FlowStep) -> Bool {
        guard flow.proofs.list.isEmpty, flow.session == nil else {
            // A requested factor may be proved, even if the device is remembered by now.
            return step.isDue(next(flow, isRemembered: false))
        }
        return step.isFirst
    }

    /// Refuses a guess over the limit before it costs a hash or a request.
    private func checkBudget() throws(Rejection) {
        guard guessWait <= 0 else { throw .throttled(retryAfter: guessWait) }
        guard failures < FlowService.mostTries else { throw .tooManyTries }
    }

    /// Charges one answer; for steps that ask another service for their verdict.
    ///
    /// - Parameter resendWait: for a resend, the seconds until another one may follow.
    func charge(resendWait: Int? = nil) async throws(Rejection) -> Int {
        guard let charging else { throw .internalError }
        return try await charging(resendWait)
    }

    /// Whether the code matches the sent one, checked before the rest of the answer costs anything.
    func isRight(_ code: String) -> Bool {
        guard account != nil, let codeDigest else { return false }
        return ConstantTime.equal(OneTimeCode.digest(code, flow: id, key: tools.codeKey), codeDigest)
    }

    /// The other factors that may be answered.
    func choices(besides asked: SignInCourse.Candidate? = nil) -> [StepChoice] {
        candidates.filter { $0 != asked }.map(\.choice)
    }

    /// The options of a step that asks for one factor.
    func options(besides asked: UUID) -> StepOptions {
        StepOptions(
            choices: candidates.map(\.choice).filter { $0.id != asked.text }, offersRemembering: offersRemembering)
    }
}

extension SignInCourse.Candidate {
    var choice: StepChoice {
        switch self {
        case .factor(let factor): StepChoice(id: factor.id.text, kind: factor.kind.choice, hint: factor.hint)
        case .passkey: StepChoice(.passkey)
        case .recoveryCode: StepChoice(.recoveryCode)
        case .password: StepChoice(.password)
        case .custom: StepChoice(.customChallenge)
        case .address(let destination):
            StepChoice(
                id: destination.medium.rawValue, kind: destination.medium == .sms ? .sms : .email,
                hint: destination.masked)
        }
    }

    /// The step of this candidate.
    var step: any FlowStep {
        switch self {
        case .factor(let factor):
            if let step = CodeStep(factor) { step } else { TOTPStep() }
        case .passkey: PasskeyStep(isFirst: false)
        case .recoveryCode: RecoveryCodeStep()
        case .password: PasswordStep()
        case .custom: CustomChallengeStep()
        case .address(let destination): AddressProofStep(destination)
        }
    }

    var isPreferred: Bool {
        switch self {
        case .factor(let factor): factor.isPreferred
        case .passkey(let isPreferred): isPreferred
        // Asked first, with the others beside it.
        case .address: true
        case .recoveryCode, .password, .custom: false
        }
    }
}

extension AccountFactors.Kind {
    fileprivate var choice: StepChoice.Kind {
        switch self {
        case .totp: .totp
        case .sms: .sms
        case .email: .email
        }
    }
}

extension AccountFactors.Factor {
    /// A hint for the owner that does not reveal the address.
    package var hint: String? {
        name ?? address.map { EmailAddress($0)?.masked ?? "•••\($0.suffix(2))" }
    }
}
