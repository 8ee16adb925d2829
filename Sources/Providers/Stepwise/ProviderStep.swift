package import JSON

/// The next step of a provider.
package enum ProviderStep: Codable, Sendable, Equatable {
    /// A password that replaces a temporary one, with values for these attributes.
    case newPassword(requiredAttributes: [String])
    /// The values that a sign-up still needs.
    case attributes(required: [String])
    /// The operator's own challenge at the provider; its parameters are untrusted text.
    case customChallenge(parameters: [String: String])
    /// The code of an authenticator app, with the name from its set-up.
    case totpCode(name: String?)
    /// A code by SMS, after the password.
    case smsCode(CodeDelivery)
    /// A code by mail, or one by SMS that replaces the password.
    case otp(CodeDelivery)
    case password
    /// The options of WebAuthn's `navigator.credentials.get`, in their JSON form.
    case passkey(options: JSONObject)
    /// A choice of the first factor.
    case firstFactorSelection([SignInMethod])
    case mfaSelection([SignInMethod])
    case mfaSetupSelection([SignInMethod])
    /// The set-up of an authenticator app: it receives the secret, in base32, and shows a code.
    case totpSetup(secret: String, username: String)
    /// The set-up of an address or number for codes; the hint is one that the provider knows, masked.
    case contactSetup(CodeDelivery.Medium, hint: String?)
    /// A code and a new password; nil if a code was sent earlier or its destination is unknown.
    case resetPassword(CodeDelivery?)
    /// The code from the sign-up; nil if none was sent now.
    case confirmSignUp(CodeDelivery?)
    /// A new password is not yet effective: the caller polls again after so many seconds.
    case resetUnderWay(retryAfter: Int)
    /// The sign-in here is over; it can begin again in a browser only.
    case webFallback
}

/// The destination of a code.
package struct CodeDelivery: Codable, Sendable, Equatable {
    package enum Medium: String, Codable, Sendable {
        case email, sms
    }

    package let medium: Medium
    /// Masked by the provider.
    package let destination: String
    package let codeLength: Int?
    /// Seconds to wait before requesting another code.
    package let resendAfter: Int?

    package init(medium: Medium, destination: String, codeLength: Int? = nil, resendAfter: Int? = nil) {
        (self.medium, self.destination) = (medium, destination)
        (self.codeLength, self.resendAfter) = (codeLength, resendAfter)
    }
}

/// One of several methods to continue.
package struct SignInMethod: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case password
        case emailOTP = "email_otp"
        case smsOTP = "sms_otp"
        case totp
        case passkey
    }

    package let kind: Kind
    /// The id for ``StepwiseResponse/choice(_:)``: the kind's word, if each kind occurs once.
    package let id: String
    /// The masked destination of a code.
    package let hint: String?

    package init(_ kind: Kind, id: String? = nil, hint: String? = nil) {
        (self.kind, self.id, self.hint) = (kind, id ?? kind.rawValue, hint)
    }
}
