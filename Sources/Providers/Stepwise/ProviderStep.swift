package import JSON

/// What a provider asks for next.
package enum ProviderStep: Sendable, Equatable {
    /// A password in place of a temporary one, with values for these attributes.
    case newPassword(requiredAttributes: [String])
    /// Values that a sign-up still lacks.
    case attributes(required: [String])
    /// Whatever the operator has programmed at the provider; the parameters are its own, and untrusted text.
    case customChallenge(parameters: [String: String])
    /// The code of an authenticator app, by the name under which it was set up.
    case totpCode(name: String?)
    /// A code by SMS, after the password.
    case smsCode(CodeDelivery)
    /// A code by mail, or one by SMS that takes the password's place.
    case otp(CodeDelivery)
    case password
    /// The options of WebAuthn's `navigator.credentials.get`, in their JSON form.
    case passkey(options: JSONObject)
    /// What the sign-in should begin with.
    case firstFactorSelection([SignInMethod])
    case mfaSelection([SignInMethod])
    case mfaSetupSelection([SignInMethod])
    /// A new authenticator app: it is given the secret, in base32, and shows a code.
    case totpSetup(secret: String, username: String)
    /// An address or number for codes; the hint is one that the provider knows, masked.
    case contactSetup(CodeDelivery.Medium, hint: String?)
    /// A code and a new password; nil where a code was sent earlier or the provider doesn't say where to.
    case resetPassword(CodeDelivery?)
    /// The code that was sent when the person signed up; nil where nothing was sent now.
    case confirmSignUp(CodeDelivery?)
    /// A new password doesn't count yet: nothing is asked for but another look, after so many seconds.
    case resetUnderWay(retryAfter: Int)
    /// Goes on in a browser only, from the beginning: the sign-in here is over.
    case webFallback
}

/// Where a code went.
package struct CodeDelivery: Sendable, Equatable {
    package enum Medium: String, Sendable {
        case email, sms
    }

    package let medium: Medium
    /// Masked by the provider.
    package let destination: String
    package let codeLength: Int?
    /// Seconds until another code should be asked for.
    package let resendAfter: Int?

    package init(medium: Medium, destination: String, codeLength: Int? = nil, resendAfter: Int? = nil) {
        (self.medium, self.destination) = (medium, destination)
        (self.codeLength, self.resendAfter) = (codeLength, resendAfter)
    }
}

/// One of several ways to go on.
package struct SignInMethod: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case password
        case emailOTP = "email_otp"
        case smsOTP = "sms_otp"
        case totp
        case passkey
    }

    package let kind: Kind
    /// What names it in ``StepwiseResponse/choice(_:)``: the kind's word, where there is one of each kind.
    package let id: String
    /// Where a code would go, masked.
    package let hint: String?

    package init(_ kind: Kind, id: String? = nil, hint: String? = nil) {
        (self.kind, self.id, self.hint) = (kind, id ?? kind.rawValue, hint)
    }
}
