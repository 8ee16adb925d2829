/// A fault of an authorization request, which the browser carries to the app (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6).
package struct AuthorizationFault: Error, Equatable {
    package enum Word: String, Sendable {
        case invalidRequest = "invalid_request"
        case accessDenied = "access_denied"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        /// RFC 8707 §2.
        case invalidTarget = "invalid_target"
        case loginRequired = "login_required"
        case consentRequired = "consent_required"
        case interactionRequired = "interaction_required"
        case accountSelectionRequired = "account_selection_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        case registrationNotSupported = "registration_not_supported"
        /// OpenID Connect Core Error Code unmet_authentication_requirements §2.
        case unmetAuthenticationRequirements = "unmet_authentication_requirements"
    }

    package let word: Word
    /// For the app's developer: printable ASCII without quotation marks and backslashes.
    package let description: String

    init(_ word: Word, _ description: String) { (self.word, self.description) = (word, description) }

    /// The user granted nothing.
    package static let declined = AuthorizationFault(.accessDenied, "the user declined")

    package static let hintInvalid = invalid("id_token_hint", "no ID token of this server")

    /// A parameter that is missing or has the wrong form.
    static func invalid(_ parameter: String, _ reason: String) -> AuthorizationFault {
        AuthorizationFault(.invalidRequest, "\(parameter): \(reason)")
    }
}
