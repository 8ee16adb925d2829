/// A part of a request that a refusal is about.
///
/// Each front door translates it: to a JSON pointer, a form field or a parameter's name.
package enum RequestField: Sendable, Equatable {
    case username, password, currentPassword, newPassword
    case email, phone, address
    case code, recoveryCode, challengeAnswer
    /// The chosen factor.
    case factor
    /// The browser's passkey response.
    case passkey
    case displayName, firstFactor
    case attributes
    /// A member of a provider's credential, by its name in `docs/openapi.yaml`.
    case credential(String)
    case accessToken, cursor
    /// The answer that declines a link.
    case separateAccount
    /// The kind of a factor or an address.
    case kind
    case recoveryCodes
    // Parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3).
    case responseType, responseMode, redirectURI, state, codeChallenge, codeChallengeMethod, codeVerifier
    /// `prompt` (OpenID Connect Core §3.1.2.1).
    case prompt
    /// The app's nonce for an ID token (OpenID Connect Core §3.1.2.1).
    case nonce
    /// The answer of a provider: `code` or `error` (RFC 6749 §4.1.2).
    case providerAnswer
}

/// An attribute of a request with its fault.
package struct AttributeFault: Sendable, Hashable {
    package let name: String
    package let fault: FieldFault

    package init(_ name: String, _ fault: FieldFault) { (self.name, self.fault) = (name, fault) }
}

/// The fault of a ``RequestField``: a stable word of `docs/errors.md`.
///
/// It is open, because adapters add their own words.
package struct FieldFault: RawRepresentable, Sendable, Hashable {
    package let rawValue: String
    /// The values or names that the field accepts, if they are few; for people only.
    package private(set) var accepted: [String] = []

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The same fault with the accepted values.
    package func accepting(_ values: [String]) -> FieldFault {
        var fault = self
        fault.accepted = values
        return fault
    }

    /// Compares the faults, without the accepted values.
    package static func == (left: FieldFault, right: FieldFault) -> Bool { left.rawValue == right.rawValue }
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    package static let required = FieldFault(rawValue: "required")
    package static let tooLong = FieldFault(rawValue: "too_long")
    package static let malformed = FieldFault(rawValue: "malformed")
    package static let unknown = FieldFault(rawValue: "unknown")
    package static let notOffered = FieldFault(rawValue: "not_offered")
    // For an attribute that only the other side writes: the user, or the app's back end.
    package static let notWritable = FieldFault(rawValue: "not_writable")
    package static let mustBeText = FieldFault(rawValue: "must_be_text")
    package static let mustBeObject = FieldFault(rawValue: "must_be_object")
    package static let mustBeTrue = FieldFault(rawValue: "must_be_true")
    package static let mustBeS256 = FieldFault(rawValue: "must_be_s256")
    package static let mustBeCode = FieldFault(rawValue: "must_be_code")
    package static let codeOrError = FieldFault(rawValue: "code_or_error")
    /// Not the shape of a code: refused before it is compared, so that it costs no try.
    package static let notACode = FieldFault(rawValue: "not_a_code")
    package static let notAnEmailAddress = FieldFault(rawValue: "not_an_email_address")
    package static let notAPhoneNumber = FieldFault(rawValue: "not_a_phone_number")
    package static let notAUserName = FieldFault(rawValue: "not_a_user_name")
    package static let notASignInName = FieldFault(rawValue: "not_a_sign_in_name")
    // For the access token of the account to merge.
    package static let noLiveSession = FieldFault(rawValue: "no_live_session")
    package static let ofAnotherApp = FieldFault(rawValue: "of_another_app")
    package static let sameAccount = FieldFault(rawValue: "same_account")
    package static let stepUpRequired = FieldFault(rawValue: "step_up_required")
    package static let reauthRequired = FieldFault(rawValue: "reauth_required")
}
