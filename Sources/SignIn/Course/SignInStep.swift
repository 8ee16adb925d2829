package import Messages
package import WebAuthn

/// What the person must do next.
///
/// Closed: each front door has a `switch` that a new step does not compile without.
package enum SignInStep: Sendable, Equatable {
    // First factor
    case firstFactorSelection([StepChoice])
    /// A code that was sent, in place of a password.
    case firstFactorCode(SentCode, StepOptions)
    /// A password, as first or second factor.
    case password(StepOptions)
    /// The proof of a password by SRP.
    case passwordProof(SRPChallenge)
    /// A passkey, as first or second factor.
    case passkey(PasskeyOptions, StepOptions)

    // Second factor
    case secondFactorSelection([StepChoice])
    case secondFactorCode(SentCode, StepOptions)
    case totpCode(StepOptions)
    case recoveryCode(StepOptions)
    /// The secret of a confirmed device by SRP, in place of these; nil until the device has sent its value.
    case deviceProof(SRPChallenge?, [StepChoice])
    /// A question of the operator's service, or of a provider.
    case customChallenge(ChallengePrompt, StepOptions)

    // A factor is set up
    case factorSetUpSelection([StepChoice])
    case totpSetUp(TOTPSecret)
    /// An address for codes; with a masked one that the provider knows.
    case emailSetUp(hint: String?)
    case phoneSetUp(hint: String?)
    /// The code that proves the new address or number.
    case codeSetUp(SentCode)
    case passkeySetUp(PasskeyOptions)
    /// The recovery codes are shown, to be written down.
    case recoveryCodes

    // Password
    /// A new password, in place of a temporary one or for a sign-up after its code, with these attributes.
    case newPassword(requiredAttributes: [String])
    /// A code and another password; without delivery where the code was sent earlier.
    case resetPassword(SentCode?)
    /// The provider applies the new password: ask again after so many seconds, with nothing.
    case resetUnderWay(retryAfter: Int)

    // Sign-up
    /// The code of a sign-up; without delivery where it was sent earlier.
    case confirmSignUp(SentCode?)
    /// The attributes that a sign-up lacks after its code.
    case attributes([String])

    // Elsewhere
    /// Sign in to the account that has this address, to join the two; or decline.
    case linkAccount(maskedEmail: String)
    /// The sign-in continues at this address in a browser, from its beginning.
    case continueInBrowser(url: String)
}

/// The other answers that a step allows.
package struct StepOptions: Sendable, Equatable {
    /// The choices in place of the answer.
    package var choices: [StepChoice]
    /// Whether the answer may ask that this device be remembered.
    package var offersRemembering: Bool

    package init(choices: [StepChoice] = [], offersRemembering: Bool = false) {
        (self.choices, self.offersRemembering) = (choices, offersRemembering)
    }
}

/// A code that was sent, as the person may see it.
package struct SentCode: Sendable, Equatable {
    package let medium: Medium
    /// Masked.
    package let destination: String
    package let codeLength: Int
    /// Seconds until another code may be asked for.
    package let resendAfter: Int
}

/// One factor that a person can choose.
package struct StepChoice: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case totp, sms, email, passkey, password
        case recoveryCode = "recovery_code"
        case emailCode = "email_otp"
        case smsCode = "sms_otp"
        case customChallenge = "custom_challenge"
    }

    /// The answer's name for it.
    package let id: String
    package let kind: Kind
    /// A masked destination, or the name that the person gave.
    package let hint: String?

    package init(id: String, kind: Kind, hint: String? = nil) {
        (self.id, self.kind, self.hint) = (id, kind, hint)
    }

    /// The only choice of its kind.
    package init(_ kind: Kind) { self.init(id: kind.rawValue, kind: kind) }
}

/// A secret to put into an authenticator app.
package struct TOTPSecret: Sendable, Equatable {
    /// In Base32, to type.
    package let secret: String
    /// To show as a QR code.
    package let uri: String
}

extension SignInStep {
    /// The way of the code that the step waits for; nil for other steps.
    package var delivery: SentCode? {
        switch self {
        case .firstFactorCode(let delivery, _), .secondFactorCode(let delivery, _), .codeSetUp(let delivery): delivery
        case .resetPassword(let delivery), .confirmSignUp(let delivery): delivery
        default: nil
        }
    }
}
