import Foundation
import Messages
import Vocabulary

/// One kind of step: its stored form, its shown form, and the verdict on an answer.
///
/// A new kind is a type that conforms, and its line in ``FlowSteps``. Its properties are its stored form. They are sealed
/// with the flow, so a step may hold a secret.
protocol FlowStep: Codable, Sendable {
    /// Its name in the stored form.
    static var kind: String { get }
    /// The lifetime in seconds.
    var life: Int { get }
    /// The seconds until the code of the step may be sent again.
    var resendWait: Int { get }
    /// The code that is sent when the step opens, and again on request.
    var dispatch: CodeDispatch? { get }
    /// Whether an answer is a guess that is charged to the flow's budget after the verdict.
    var isGuessed: Bool { get }
    /// Whether guessing at many accounts pays: wrong answers are charged to the network, too.
    var isSprayed: Bool { get }
    /// Whether the step only waits: of several concurrent answers, each may go on waiting.
    var isWaiting: Bool { get }
    /// The name of the guess budget from this step on; nil keeps the flow's budget.
    func guessedName(_ flow: UUID) -> String?
    /// The refusal of a wrong answer.
    func wrong(triesLeft: Int) -> Rejection
    /// The step after requests to other services, ready to be shown.
    func opened(_ context: FlowContext) async throws(Rejection) -> any FlowStep
    func shown(_ context: FlowContext) throws(Rejection) -> SignInStep
    /// Whether the step asks for what is due next; never asked before the first proof.
    func isDue(_ next: SignInCourse.Next) -> Bool
    /// Whether the step may be answered before the first proof.
    var isFirst: Bool { get }
    /// - Throws: `invalidField` for an answer of another kind, or of the wrong form.
    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict
    /// Has another service send its code again; nil where the gateway sends the code itself.
    func resent(_ context: FlowContext) async throws(Rejection) -> Verdict?
}

extension FlowStep {
    var life: Int { FlowService.life }
    var resendWait: Int { FlowService.resendWait }
    var dispatch: CodeDispatch? { nil }
    var isGuessed: Bool { true }
    var isSprayed: Bool { isGuessed }
    var isWaiting: Bool { false }
    func guessedName(_ flow: UUID) -> String? { nil }
    var isFirst: Bool { FirstFactor(of: self) != nil }

    func wrong(triesLeft: Int) -> Rejection { .codeWrong(triesLeft: triesLeft) }

    func opened(_ context: FlowContext) async throws(Rejection) -> any FlowStep { self }

    func isDue(_ next: SignInCourse.Next) -> Bool { false }

    func resent(_ context: FlowContext) async throws(Rejection) -> Verdict? { nil }
}

/// THE LIST of steps.
enum FlowSteps {
    static let all: [any FlowStep.Type] = [
        TOTPStep.self, RecoveryCodeStep.self, PasswordStep.self, NewPasswordStep.self, SecondFactorSelectionStep.self,
        SetUpSelectionStep.self, TOTPSetUpStep.self, AddressSetUpStep.self, CodeStep.self, CodeSetUpStep.self,
        ResetPasswordStep.self, FirstFactorSelectionStep.self, PasskeyStep.self, PasskeySetUpStep.self,
        RecoveryCodesStep.self, CustomChallengeStep.self, SRPStep.self, DeviceStep.self,
        ResetWithProvedCodeStep.self, ProviderLedStep.self, AddressProofStep.self,
    ]
}

/// The destination and the purpose of a code.
struct CodeDispatch: Sendable, Equatable {
    let destination: Destination
    let purpose: CodePurpose
}
