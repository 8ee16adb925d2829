package import JSON

/// Where a code went, as whoever asked may see it.
package struct CodeDelivery: Sendable, Equatable {
    package let medium: Medium
    /// Masked.
    package var destination: String
    package let codeLength: Int
    /// Seconds until another one may be asked for.
    package let resendAfter: Int

    package init(medium: Medium, destination: String, codeLength: Int, resendAfter: Int) {
        (self.medium, self.destination) = (medium, destination)
        (self.codeLength, self.resendAfter) = (codeLength, resendAfter)
    }
}

/// One thing that a person can choose.
package struct StepChoice: Sendable, Equatable {
    /// What the answer names it by.
    package let id: String
    /// `totp`, `sms`, `email`, `passkey`, `recovery_code`, `password`, `email_otp`, `sms_otp`.
    package let kind: String
    /// A masked destination, or the name that the person gave.
    package var hint: String?

    package init(id: String, kind: String, hint: String? = nil) {
        (self.id, self.kind, self.hint) = (id, kind, hint)
    }
}

/// A secret to put into an authenticator app.
package struct TOTPSecret: Sendable, Equatable {
    /// In Base32, to type.
    package let secret: String
    /// To show as a QR code.
    package let uri: String
}

/// What the person must do next, in a form that every door can show without knowing the kind.
package struct SignInStep: Sendable, Equatable {
    /// `next_step.type` of the API.
    package let type: String
    package var delivery: CodeDelivery?
    /// What can be chosen; not only in selections: an answer may name one of these instead of what is asked.
    package var choices: [StepChoice] = []
    package var totp: TOTPSecret?
    /// Options for the browser or the system (WebAuthn level 3, §5.1.10).
    package var passkey: JSON?
    /// What a custom challenge asks.
    package var challenge: JSONObject?
    /// Attributes that must be given along.
    package var requiredAttributes: [String] = []
    /// Where the sign-in goes on, in a browser.
    package var url: String?
    /// In how many seconds to answer, with nothing, where the step is only to be waited for.
    package var retryAfter: Int?
    /// A masked address that the step speaks of.
    package var email: String?
    /// Whether the answer may ask that this device be asked for the first factor alone from now on.
    package var offersRemembering = false

    package init(_ type: String) { self.type = type }
}

extension SignInStep {
    /// Sign in to the account that has this address, to join the two; or decline.
    static func linkAccount(maskedEmail: String) -> SignInStep {
        var step = SignInStep("link_account")
        step.email = maskedEmail
        return step
    }

    /// Type the code that was sent.
    static func confirmSignUp(_ delivery: CodeDelivery) -> SignInStep {
        var step = SignInStep("confirm_sign_up")
        step.delivery = delivery
        return step
    }
}
