/// What a provider takes in an authorization request and sends back from one; where providers differ only in values.
struct AuthorizationRules: Sendable {
    enum ScopeRule: Sendable, Equatable {
        case optional, required
        /// This one must be among them.
        case including(String)
    }

    /// As the consent page names the provider.
    let title: String
    let colour: String
    /// Empty where there is no parameter response_type.
    let responseTypes: [String]
    /// The first is the default; where it is the only one there is no parameter response_mode.
    let responseModes: [ResponseMode]
    let scopes: [String]
    let scopeRule: ScopeRule
    /// An ID token comes of it, so that a nonce is demanded.
    let hasNonce: Bool
    /// RFC 7636 §4.3: a challenge without a method is a plain one.
    let allowsPlainChallenge: Bool
    /// Parameters beyond those of OAuth 2.0 and PKCE, each optional.
    let furtherParameters: Set<String>
    /// What the person says beside who they are.
    let choices: [ConsentChoice]
    /// RFC 6749 §4.1.2.1 sends errors to a redirect address that is known to be good; not all do.
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

    /// What OpenID Connect Core §3.1.2.1 lets a client add.
    static let openIDConnectParameters: Set<String> = ["prompt", "max_age", "login_hint", "ui_locales"]

    /// With markup, which whoever shows it must escape.
    static let usualCancellation = [
        FormField("error", "access_denied"), FormField("error_description", "The person <b>cancelled</b> the sign-in."),
    ]
    static let usualFailure = [
        FormField("error", "server_error"), FormField("error_description", "The provider failed."),
    ]
}
