import Foundation
import JSON

/// One kind of step: what is stored of it, how it is shown, and what an answer to it comes to.
///
/// A new kind is a type that conforms, and its line in ``FlowSteps``.
protocol FlowStep: Sendable {
    /// Its name in the stored form.
    static var kind: String { get }
    /// What ``stored`` gave.
    init?(stored: JSONObject)
    var stored: JSONObject { get }
    /// The code that leaves when the step is opened, and again when it is asked for.
    var dispatch: CodeDispatch? { get }
    /// Whether an answer is a guess, which counts against a budget.
    var isGuessed: Bool { get }
    /// Whether somebody comes through who tries at enough accounts: wrong answers count by where they come from too.
    var isSprayed: Bool { get }
    /// What a wrong answer is called.
    func wrong(triesLeft: Int) -> Rejection
    /// The step as it is put before the person, once others were asked what it needs of them.
    func opened(_ context: StepContext) async throws(Rejection) -> any FlowStep
    func shown(_ context: StepContext) throws(Rejection) -> SignInStep
    /// Whether the step asks for what is due next; never asked while a first factor is due.
    func isDue(_ next: SignInCourse.Next) -> Bool
    /// - Throws: `invalidField` for an answer of another kind, or of the wrong form.
    func judge(_ response: StepResponse, _ context: StepContext) async throws(Rejection) -> Verdict
}

extension FlowStep {
    var dispatch: CodeDispatch? { nil }
    var isGuessed: Bool { true }
    var isSprayed: Bool { isGuessed }

    func wrong(triesLeft: Int) -> Rejection { .codeWrong(triesLeft: triesLeft) }

    func opened(_ context: StepContext) async throws(Rejection) -> any FlowStep { self }

    var storedWithKind: JSONObject {
        var object = stored
        object["kind"] = .string(Self.kind)
        return object
    }
}

/// THE LIST of steps.
enum FlowSteps {
    static let all: [any FlowStep.Type] = [
        TOTPStep.self, RecoveryCodeStep.self, PasswordStep.self, NewPasswordStep.self, SecondFactorSelectionStep.self,
        SetUpSelectionStep.self, TOTPSetUpStep.self, AddressSetUpStep.self, CodeStep.self, CodeSetUpStep.self,
        ResetPasswordStep.self, FirstFactorSelectionStep.self, PasskeyStep.self, PasskeySetUpStep.self,
        RecoveryCodesStep.self, CustomChallengeStep.self,
    ]

    static func step(_ stored: JSONObject) -> (any FlowStep)? {
        guard let kind = stored["kind"]?.string else { return nil }
        return all.first { $0.kind == kind }?.init(stored: stored)
    }
}

/// Where a step's code goes and what it is good for.
struct CodeDispatch: Sendable, Equatable {
    let destination: Destination
    let purpose: CodePurpose
}

/// What an answer came to.
enum Verdict: Sendable {
    case right(Right)
    case wrong
    /// It counts as a wrong one, and the person is told why.
    case refused(Rejection)
    /// Nothing was proved: another step takes this one's place.
    case goOn(any FlowStep)
}

/// A factor that was just proved for the first time.
enum Enrolment: Sendable, Equatable {
    case factor(NewFactor)
    case passkey(NewPasskey)
}

/// What holds once an answer is right.
struct Right: Sendable {
    /// What was proved; nil for a step that proves nothing.
    var proof: Proof?
    var effects: [FlowEffect] = []
    /// The typed code, where the database compares it: then the rest holds only if it says so.
    var code: String?
    /// The factor whose first proof this is.
    var enrols: Enrolment?
    /// The hash of the password that is to be the account's when the flow is through.
    var newPassword: String?
}
