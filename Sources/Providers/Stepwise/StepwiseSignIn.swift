package import Cryptography
package import FoundationEssentials
package import JSON

/// The provider's own state of a sign-in: opaque outside its adapter.
package typealias StepwiseState = JSON

/// A provider that takes a username, perhaps a password, and then asks one step after the other.
///
/// No state is kept here: between two steps the caller stores the provider's state as JSON. It must be sealed, since it
/// suffices to continue the sign-in. Any server may continue with it. It never contains a password.
package protocol StepwiseSignIn: IdentityProvider {
    /// Whether the settings allow it.
    ///
    /// Otherwise the three methods throw `misconfigured`.
    var canSignInStepwise: Bool { get }

    /// Starts a sign-in.
    ///
    /// - Parameters:
    ///   - username: the untrusted typed name.
    ///   - password: nil if the user gave none: the provider then asks for one, or for another factor.
    /// - Throws: ``ProviderError``: `invalidRequest` for a value that cannot be sent, `unavailable` and
    ///   `misconfigured`. A refusal of the user is an answer, not an error.
    func begin(
        username: String, password: Secret?, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer

    /// Submits the answer to the last step.
    ///
    /// - Parameter state: that of the last answer, unchanged. Another provider's state counts as an ended sign-in.
    /// - Throws: as ``begin(username:password:context:)``; `invalidRequest` names the member that the step expects.
    func answer(
        _ response: StepwiseResponse, to state: StepwiseState, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer

    /// Sends the code of the current step once more.
    ///
    /// It answers the step again, or ``StepRefusal/cannotResend`` if the provider cannot resend.
    func resend(_ state: StepwiseState, context: StepwiseContext) async throws(ProviderError) -> StepwiseAnswer
}

/// The context of a step apart from the user's answer.
package struct StepwiseContext: Sendable, Equatable {
    /// The wall clock.
    package let now: Date
    /// The user's own network address for the provider's risk rules; without it all users seem to come from this
    /// server.
    package let callerAddress: String?
    /// Whether the sign-in must prove the password, because the gateway stores it afterwards.
    ///
    /// Sign-up is then off. If another factor could replace the password, the sign-in ends as with wrong credentials. A
    /// password that the provider never checked must not be stored.
    package let mustTakePassword: Bool

    package init(now: Date, callerAddress: String? = nil, mustTakePassword: Bool = false) {
        (self.now, self.callerAddress, self.mustTakePassword) = (now, callerAddress, mustTakePassword)
    }
}
