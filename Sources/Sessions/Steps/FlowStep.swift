import Foundation
import JSON

/// One kind of step: its stored form, its shown form, and the verdict on an answer.
///
/// A new kind is a type that conforms, and its line in ``FlowSteps``.
protocol FlowStep: Sendable {
    /// Its name in the stored form.
    static var kind: String { get }
    /// Reads ``stored``.
    init?(stored: JSONObject)
    var stored: JSONObject { get }
    /// The code that is sent when the step opens, and again on request.
    var dispatch: CodeDispatch? { get }
    /// Whether an answer is a guess, which is charged to a budget.
    var isGuessed: Bool { get }
    /// Whether guessing at many accounts pays: wrong answers are charged to the network, too.
    var isSprayed: Bool { get }
    /// The refusal of a wrong answer.
    func wrong(triesLeft: Int) -> Rejection
    /// The step after requests to other services, ready to be shown.
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

/// The destination and the purpose of a code.
struct CodeDispatch: Sendable, Equatable {
    let destination: Destination
    let purpose: CodePurpose
}

/// The verdict on an answer.
enum Verdict: Sendable {
    case right(Right)
    case wrong
    /// Counts as wrong; the person learns the reason.
    case refused(Rejection)
    /// Nothing was proved: another step replaces this one.
    case goOn(any FlowStep)
}

/// A new factor, proved for the first time.
enum Enrolment: Sendable, Equatable {
    case factor(NewFactor)
    case passkey(NewPasskey)
}

/// The consequences of a right answer.
struct Right: Sendable {
    /// The proof; nil for a step that proves nothing.
    var proof: Proof?
    var effects: [FlowEffect] = []
    /// The typed code, where the database compares it: the rest holds only if it matches.
    var code: String?
    /// The new factor.
    var enrols: Enrolment?
    /// The hash of the new password, which counts at the end of the flow.
    var newPassword: String?
}
