package import Cryptography
package import FoundationEssentials
package import JSON

/// A provider that is given a username, perhaps a password, and then asks for one thing after another.
///
/// No state is kept here: between two steps the caller holds what the provider said, as JSON, and hands it back. It is
/// to be sealed, since whoever holds it can go on with the sign-in, and any server may go on with it. It never holds a
/// password.
package protocol StepwiseSignIn: IdentityProvider {
    /// Whether the settings allow it.
    ///
    /// Where they don't, the three methods throw `misconfigured`.
    var canSignInStepwise: Bool { get }

    /// Starts a sign-in.
    ///
    /// - Parameters:
    ///   - username: as it was typed; believed in nothing.
    ///   - password: nil where the person gave none: the provider then asks for one, or for another factor.
    /// - Throws: ``ProviderError``: `invalidRequest` for what can't be sent, `unavailable` and `misconfigured`. What
    ///   the provider says of the person is an answer.
    func begin(
        username: String, password: Secret?, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer

    /// Hands in what was asked for.
    ///
    /// - Parameter state: that of the last answer, unchanged. One that isn't this provider's own is an ended sign-in.
    /// - Throws: as ``begin(username:password:context:)``; `invalidRequest` names the member that the step wants.
    func answer(
        _ response: StepwiseResponse, to state: JSON, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer

    /// Has the code of the current step sent once more.
    ///
    /// Answers the step again, or ``StepRefusal/cannotResend`` where the provider has no way to.
    func resend(_ state: JSON, context: StepwiseContext) async throws(ProviderError) -> StepwiseAnswer
}

/// What a step is worked off with, beside what the person says.
package struct StepwiseContext: Sendable, Equatable {
    /// The wall clock.
    package let now: Date
    /// The person's own address, for the provider's risk rules: without it all people seem to come from this server.
    package let callerAddress: String?
    /// Whether it is all for the password's sake, which is to be kept here once the provider has taken it.
    ///
    /// Then nobody signs up, and where something else would do in the password's place the sign-in ends as with wrong
    /// credentials: a password that the provider never looked at must not be kept.
    package let mustTakePassword: Bool

    package init(now: Date, callerAddress: String? = nil, mustTakePassword: Bool = false) {
        (self.now, self.callerAddress, self.mustTakePassword) = (now, callerAddress, mustTakePassword)
    }
}
