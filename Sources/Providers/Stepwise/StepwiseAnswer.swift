package import JSON

/// What a provider says to a beginning or to an answer.
package enum StepwiseAnswer: Sendable, Equatable {
    /// Somebody proved who they are.
    case verified(ExternalIdentity)
    /// Something more is asked for, and the provider waits for it so many seconds at most.
    case step(ProviderStep, state: JSON, expiresIn: Int)
    /// The last step still stands, with this state in place of the one before; its time runs on.
    case again(StepRefusal, state: JSON)
    /// The sign-in is over, without anybody: only a new one helps.
    case ended(StepwiseEnd)
}

/// Why an answer to a step was not taken, where another one may be.
package enum StepRefusal: Sendable, Equatable {
    case codeWrong
    /// The code was right once: ask for another.
    case codeExpired
    /// The code was used before; an authenticator app shows the next one within half a minute.
    case codeUsed
    /// The answer to a custom challenge.
    case answerWrong
    case passwordWrong
    /// The new password breaks rules of the provider; never empty.
    case passwordRejected([PasswordFault])
    /// Attributes that the provider doesn't take; empty where it doesn't say which.
    case attributesRejected([String])
    /// The address or number for codes is none that the provider sends to.
    case contactRejected
    /// The way that was chosen isn't open; another one may be.
    case methodRejected
    case deliveryFailed
    case tooManyAttempts(retryAfter: Int)
    /// The provider sends this code once only: a new sign-in brings a new one.
    case cannotResend
}

/// Which rule a new password breaks.
package enum PasswordFault: String, Sendable, CaseIterable {
    case tooShort = "too_short"
    case tooLong = "too_long"
    case needsUppercase = "needs_uppercase"
    case needsLowercase = "needs_lowercase"
    case needsDigit = "needs_digit"
    case needsSymbol = "needs_symbol"
    case recentlyUsed = "recently_used"
    /// On a list of passwords that everybody tries.
    case banned
    /// Too easily guessed, or a rule that has no word here.
    case tooWeak = "too_weak"
    /// Has characters that the provider doesn't take.
    case malformed
}

/// Why a sign-in ended without anybody.
package enum StepwiseEnd: Sendable, Equatable {
    /// Username and password don't belong together; also where there is nobody of that name, which is never told apart.
    case credentialsWrong
    case userDisabled
    /// An administrator has to give a new one.
    case temporaryPasswordExpired
    case tooManyAttempts(retryAfter: Int)
    /// It took too long, or the same step was answered twice.
    case expired
    /// The provider knows no address or number of the person that it could send a code to.
    case noContact
    /// A second factor is demanded, and there is none that could be used or set up here.
    case noMethod
    /// The address or number belongs to another user of the provider.
    case contactTaken
    /// A rule of the operator's at the provider said no.
    case declined
}
