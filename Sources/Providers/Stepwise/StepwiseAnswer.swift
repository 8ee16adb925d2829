/// A provider's answer to a beginning or a response.
package enum StepwiseAnswer: Sendable, Equatable {
    /// The sign-in succeeded with this identity.
    case verified(ExternalIdentity)
    /// The provider expects another answer, within so many seconds at most.
    case step(ProviderStep, state: StepwiseState, expiresIn: Int)
    /// The last step remains pending with this state instead of its former one; its time continues.
    case again(StepRefusal, state: StepwiseState)
    /// The sign-in ended without an identity: only a new one helps.
    case ended(StepwiseEnd)
}

/// The reason why an answer was refused, if another answer may succeed.
package enum StepRefusal: Sendable, Equatable {
    case codeWrong
    /// The code has expired: request another.
    case codeExpired
    /// The code was used before; an authenticator app shows the next one within 30 seconds.
    case codeUsed
    /// The answer to a custom challenge is wrong.
    case answerWrong
    case passwordWrong
    /// The new password breaks rules of the provider; never empty.
    case passwordRejected([PasswordFault])
    /// The refused attributes; empty if the provider does not name them.
    case attributesRejected([String])
    /// The provider does not send to this address or number.
    case contactRejected
    /// The chosen method is not available; another one may be.
    case methodRejected
    case deliveryFailed
    case tooManyAttempts(retryAfter: Int)
    /// The provider sends this code only once: a new sign-in brings a new one.
    case cannotResend
}

/// The rule that a new password breaks.
package enum PasswordFault: String, Sendable, CaseIterable {
    case tooShort = "too_short"
    case tooLong = "too_long"
    case needsUppercase = "needs_uppercase"
    case needsLowercase = "needs_lowercase"
    case needsDigit = "needs_digit"
    case needsSymbol = "needs_symbol"
    case recentlyUsed = "recently_used"
    /// The password is on a list of common passwords.
    case banned
    /// The password is easily guessed, or breaks a rule without a word here.
    case tooWeak = "too_weak"
    /// The password has characters that the provider does not accept.
    case malformed
}

/// The reason why a sign-in ended without an identity.
package enum StepwiseEnd: Sendable, Equatable {
    /// Incorrect username or password; an unknown username gives the same result.
    case credentialsWrong
    case userDisabled
    /// An administrator of the provider must set a new temporary password.
    case temporaryPasswordExpired
    case tooManyAttempts(retryAfter: Int)
    /// The sign-in took too long, or the same step was answered twice.
    case expired
    /// The provider has no address or number of the user for a code.
    case noContact
    /// A second factor is required, but none can be used or set up here.
    case noMethod
    /// The address or number belongs to another user of the provider.
    case contactTaken
    /// A rule of the operator at the provider refused the sign-in.
    case declined
}
