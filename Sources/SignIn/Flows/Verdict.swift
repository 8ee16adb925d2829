import Accounts
import Foundation
import Providers
import Sessions
import Vocabulary

/// The verdict on an answer.
enum Verdict: Sendable {
    case right(Right)
    case wrong
    /// Counts as wrong; the person learns the reason.
    case refused(Rejection)
    /// Nothing was proved: another step replaces this one.
    case goOn(any FlowStep)
    /// A provider refused the answer, and takes another one to this step with its new state.
    case again(ProviderLedStep, Rejection, triesLeft: Int)
    /// A provider proved the user: the flow ends in a sign-in with this identity.
    case verified(ProviderProof)
    /// A provider ended the sign-in.
    case ended(Rejection)
    /// A provider continues in a browser only, from the beginning.
    case inBrowser(provider: String)
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
    /// The next step where the course does not decide it: a step that completes this one.
    var next: (any FlowStep)?
    /// The digest of the device that replaces the second factor.
    var device: [UInt8]?
    /// The new password, which counts at the end of the flow.
    var newPassword: PasswordVerifiers?
}

/// The user as a provider proved them, at the end of the steps that it led.
struct ProviderProof: Sendable {
    let identity: ExternalIdentity
    /// The link flow that the sign-in proves.
    let linkFlow: UUID?
    /// The accompanying session of the first call.
    let accompanying: AccompanyingSession?
    /// The hash of the password to store, which the provider accepted.
    let migratingHash: String?
}
