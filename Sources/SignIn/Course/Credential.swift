package import Providers
package import Vocabulary

/// What a person or an app brings to begin a sign-in, unverified.
package enum Credential: Sendable {
    /// A name and its password.
    case password(name: String, password: String)
    /// A name, and the client's value of SRP in hexadecimal.
    case srp(name: String, clientValue: String)
    /// A name alone: the person is asked for `first`, if it is offered for the name, or chooses a first factor.
    case name(String, first: FirstFactor? = nil)
    /// A name that a code is sent to.
    case code(name: String, FirstFactor)
    /// None: a new account without a credential.
    case guest
    /// A passkey that names its account itself.
    case passkey
    /// The credential of a provider, by the provider's id: a token, a code, or a user name for steps that it leads.
    case provider(String, PresentedCredential)
    case signUp(SignUpForm)
    /// A name with a forgotten password.
    case forgottenPassword(name: String)
}

extension Credential {
    /// The sign-in method in metrics and in the audit log.
    ///
    /// A provider's id, or `guest`, `password`, `email_otp`, `sms_otp`, `passkey`.
    package var method: String {
        switch self {
        case .password, .srp, .name, .signUp, .forgottenPassword: PasswordSignInService.provider
        case .code(_, let factor): factor.rawValue
        case .guest: GuestSignInService.provider
        case .passkey: PasskeySignInService.provider
        case .provider(let id, _): id
        }
    }
}
