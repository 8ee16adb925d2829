import Accounts
import Cryptography
import Foundation
import Logging
import Providers
import WebAuthn

/// What steps judge with.
struct StepTools: Sendable {
    let hasher: PasswordHasher
    let policy: PasswordPolicy
    let box: SealedBox
    let recoveryCodes: RecoveryCodes
    /// Nil where passkeys can't be used.
    let relyingParty: RelyingParty?
    /// Nil where there are no custom challenges.
    let challenge: ChallengeWebhook?
    let random: RandomBytes
    /// Of the digests of codes.
    let codeKey: [UInt8]
    /// What authenticator apps list the account under.
    let serviceName: String
    let logger: Logger
    let now: @Sendable () -> Date

    /// The relying party, for whoever can't do without.
    var usableRelyingParty: RelyingParty {
        get throws(Rejection) {
            guard let relyingParty else { throw .providerNotAllowed }
            return relyingParty
        }
    }

    func newID() -> UUID { UUID.v7(at: now(), random: random) }
}

/// What a step is shown and judged by.
struct StepContext: Sendable {
    let flowID: UUID
    /// The client's id.
    let client: String
    var flow: SignInFlow
    /// Nil where the name is nobody's: every answer is wrong, and none tells that.
    let account: UUID?
    /// How many answers to the step that waits were wrong.
    let failures: Int
    /// How long the next guess has to wait, in seconds.
    var guessWait = 0
    /// Of the code that the step waits for; nil where it waits for none, or the name is nobody's.
    var codeDigest: [UInt8]?
    let factors: AccountFactors
    /// The stored hash of the account's password.
    let passwordHash: String?
    /// Hashes of the passwords that a new one may not repeat.
    var replacedHashes: [String] = []
    let course: SignInCourse
    /// Where the answer comes from: one network has its share of the hashing queue.
    var network: String?
    let tools: StepTools

    /// The second factors that may be asked now: none before a first one, so that a name alone tells nothing of them.
    var candidates: [SignInCourse.Candidate] {
        guard !flow.proofs.list.isEmpty || flow.session != nil else { return [] }
        let next = course.next(after: flow.proofs, choosesPassword: flow.newPassword != nil)
        guard case .secondFactor(let candidates) = next else { return [] }
        return candidates
    }

    /// A session that is raised proves a second factor now, whatever device it is on.
    var offersRemembering: Bool { flow.session == nil }

    /// The candidate that an answer names: by its id, or by its kind where there is one of it.
    func candidate(named name: String) -> SignInCourse.Candidate? {
        candidates.first { $0.choice.id == name } ?? candidates.first { $0.choice.kind.rawValue == name }
    }

    /// Another factor than the one that is asked may be named, and a recovery code stands in for any.
    func judge(_ response: StepResponse, at step: any FlowStep) async throws(Rejection) -> Verdict {
        guard isDue(step) else { throw .flowExpired }
        if case .choice(let name) = response.answer {
            if let chosen = candidate(named: name)?.step(tools) ?? otherFirstFactor(named: name) {
                return .goOn(chosen)
            }
        }
        if step.isGuessed { try checkBudget() }
        if case .recoveryCode = response.answer, candidates.contains(.recoveryCode) {
            return try RecoveryCodeStep().judge(response, self)
        }
        return try await step.judge(response, self)
    }

    /// Refuses a guess that can't count any more, before it costs a hash or a call.
    private func checkBudget() throws(Rejection) {
        guard guessWait <= 0 else { throw .throttled(retryAfter: guessWait) }
        guard failures < FlowService.mostTries else { throw .tooManyTries }
    }

    /// Whether a code is the one that was sent: known before the rest of an answer costs anything.
    func isRight(_ code: String) -> Bool {
        guard account != nil, let codeDigest else { return false }
        return ConstantTime.equal(OneTimeCode.digest(code, flow: flowID, key: tools.codeKey), codeDigest)
    }

    /// What can be answered instead.
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
        }
    }

    /// What is asked when this one is chosen.
    func step(_ tools: StepTools) -> any FlowStep {
        switch self {
        case .factor(let factor):
            if let step = CodeStep(factor) { step } else { TOTPStep() }
        case .passkey: PasskeyStep(isFirst: false, tools)
        case .recoveryCode: RecoveryCodeStep()
        case .password: PasswordStep()
        case .custom: CustomChallengeStep()
        }
    }

    var isPreferred: Bool {
        switch self {
        case .factor(let factor): factor.isPreferred
        case .passkey(let isPreferred): isPreferred
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
    /// How its owner tells it apart, without telling a stranger the address.
    package var hint: String? {
        name ?? address.map { EmailAddress($0)?.masked ?? "•••\($0.suffix(2))" }
    }
}
