/// A provider's rules for authorization requests and answers, as far as providers differ only in values.
struct AuthorizationRules: Sendable {
    enum ScopeRule: Sendable, Equatable {
        case optional, required
        /// Must include this one.
        case including(String)
    }

    /// The provider's name on the consent page.
    let title: String
    let colour: String
    /// Empty if there is no parameter response_type.
    let responseTypes: [String]
    /// The first is the default; if it is the only one there is no parameter response_mode.
    let responseModes: [ResponseMode]
    let scopes: [String]
    let scopeRule: ScopeRule
    /// The flow returns an ID token, so a nonce is required.
    let hasNonce: Bool
    /// RFC 7636 §4.3: a challenge without a method is a plain one.
    let allowsPlainChallenge: Bool
    /// Parameters beyond those of OAuth 2.0 and PKCE, each optional.
    let furtherParameters: Set<String>
    /// The user's choices on the consent page apart from the identity.
    let choices: [ConsentChoice]
    /// RFC 6749 §4.1.2.1 sends errors to a checked redirect address; some providers do not.
    let sendsErrorsBack: Bool
    let cancellation: [FormField]
    let failure: [FormField]

    var requiredParameters: Set<String> {
        var names: Set<String> = ["client_id", "redirect_uri", "state"]
        if !responseTypes.isEmpty { names.insert("response_type") }
        if hasNonce { names.insert("nonce") }
        if scopeRule != .optional { names.insert("scope") }
        return names
    }

    var optionalParameters: Set<String> {
        let modes: Set<String> = responseModes.count > 1 ? ["response_mode"] : []
        return furtherParameters.union(modes).union(["scope", "code_challenge", "code_challenge_method"])
    }

    /// The optional parameters of OpenID Connect Core §3.1.2.1.
    static let openIDConnectParameters: Set<String> = ["prompt", "max_age", "login_hint", "ui_locales"]

    /// Contains markup, which the page must escape.
    static let usualCancellation = [
        FormField("error", "access_denied"), FormField("error_description", "The person <b>cancelled</b> the sign-in."),
    ]
    static let usualFailure = [
        FormField("error", "server_error"), FormField("error_description", "The provider failed."),
    ]
}
