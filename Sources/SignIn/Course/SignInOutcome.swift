package import Foundation
package import Sessions
package import Vocabulary

/// The identity of a sign-in.
package struct IdentitySummary: Sendable, Equatable {
    package let id: UUID
    package let provider: String
    package let subject: String
}

package struct SignedIn: Sendable, Equatable {
    package let account: AccountSummary
    /// Nil for a password.
    package let identity: IdentitySummary?
    /// The sign-in method of the session: a provider's id, or the raw value of a ``FirstFactor``.
    package let method: String
    package let session: HandedSession
    package let sessionID: UUID
    package let isNewAccount: Bool
    /// Marks this device as known.
    package let deviceToken: String?
    /// New recovery codes, where the first second factor was set up; they are never shown again.
    package let recoveryCodes: [String]?
}

package struct PendingStep: Sendable, Equatable {
    /// The flow token for the next call.
    package let flow: String
    /// In seconds.
    package let expiresIn: Int
    package let step: SignInStep
    /// New recovery codes, where the first second factor was set up; they are never shown again.
    package var recoveryCodes: [String]?
    /// The second factor that the app wished when the sign-in began.
    package var wish: SecondFactorWish?
}

package enum SignInOutcome: Sendable, Equatable {
    case signedIn(SignedIn)
    case nextStep(PendingStep)
}
