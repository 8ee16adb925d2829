package import Clients
import Cryptography
import Sessions
package import SignIn
import Vocabulary

/// A checked authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
package struct AuthorizationRequest: Sendable {
    package let place: AnswerPlace
    /// The scopes and the nonce; no scope without `openid`.
    package let tokens: TokenOrder
    /// The resources that the app asks for, with the scopes of each.
    package let resources: ResourceScopes
    /// The S256 challenge (RFC 7636 §4.3); nil only for a confidential client that may omit it.
    package let challenge: String?
    /// The thumbprint of the only key that may redeem the code (RFC 9449 §10); nil for any.
    package let key: String?
    package let prompt: Set<LoginPrompt>
    /// In seconds, the greatest age of the proof.
    let maximumAge: Int?
    /// The levels that the app prefers, best first.
    let levels: [String]
    package let claims: RequestedClaims
    package let idTokenHint: String?
    package let loginHint: String?
    package let locales: String?

    package var client: Client { place.client }

    private static let longestHint = 254

    /// The scopes of what the request asks for, also by single claims.
    ///
    /// A claim of a scope that the app may not ask for has no effect.
    package var wanted: GrantedAccess {
        let named = client.openID.scopes.filter { !claims.names.all.isDisjoint(with: $0.claims) }
        return GrantedAccess(scopes: tokens.scopes.union(named), resources: resources)
    }

    /// Whether the app's session goes on after the sign-out of the browser: plain OAuth knows no browser session.
    package var outlivesBrowser: Bool { !tokens.scopes.contains(.openid) || tokens.scopes.contains(.offlineAccess) }

    /// Whether an earlier grant answers for the user: only where no other app can pose as this one (RFC 8252 §8.6).
    package var canReuseGrant: Bool { client.kind == .confidential || place.redirectURI.kind == .https }

    /// - Parameter catalogue: the resources of all clients.
    /// - Throws: a fault that ``place`` carries to the app.
    package init(
        _ parameters: AuthorizationParameters, at place: AnswerPlace, among catalogue: ResourceCatalogue = .empty,
        isPushed: Bool
    ) throws(AuthorizationFault) {
        try parameters.check()
        guard isPushed || !place.client.openID.requiresPushedRequests else {
            throw .invalid("request_uri", "required: this client pushes its requests")
        }
        try Self.checkShape(parameters, place)
        self.place = place
        challenge = try Self.challenge(parameters, place.client)
        key = try Self.key(parameters["dpop_jkt"])
        let asked = try AskedAccess(parameters, by: place.client, among: catalogue)
        (tokens, resources) = (asked.tokens, asked.resources)
        prompt = try Self.prompt(parameters["prompt"])
        maximumAge = try Self.age(parameters["max_age"])
        levels = (parameters["acr_values"] ?? "").words
        claims = try parameters["claims"].map(RequestedClaims.init(parsing:)) ?? .none
        idTokenHint = parameters["id_token_hint"]
        loginHint = parameters["login_hint"].flatMap { $0.utf8.count <= Self.longestHint ? $0 : nil }
        locales = parameters["ui_locales"]
    }

    private static func checkShape(
        _ parameters: AuthorizationParameters, _ place: AnswerPlace
    ) throws(AuthorizationFault) {
        guard parameters["request"] == nil else {
            throw AuthorizationFault(.requestNotSupported, "request objects are not supported")
        }
        guard parameters["request_uri"] == nil else {
            throw AuthorizationFault(.requestURINotSupported, "only pushed requests of this server are supported")
        }
        guard parameters["registration"] == nil else {
            throw AuthorizationFault(.registrationNotSupported, "registration is not supported")
        }
        guard let type = parameters["response_type"] else { throw .invalid("response_type", "required") }
        guard type == "code" else { throw AuthorizationFault(.unsupportedResponseType, "response_type: must be code") }
        let asked = parameters["response_mode"]
        guard asked == nil || asked == place.mode.rawValue else {
            throw .invalid("response_mode", "must be query or form_post, and reach the address")
        }
    }

    private static func challenge(
        _ parameters: AuthorizationParameters, _ client: Client
    ) throws(AuthorizationFault) -> String? {
        guard let challenge = parameters["code_challenge"] else {
            guard !client.needsProofKey else { throw .invalid("code_challenge", "required") }
            return nil
        }
        guard parameters["code_challenge_method"] == "S256" else {
            throw .invalid("code_challenge_method", "must be S256")
        }
        guard PKCE.isChallenge(challenge) else { throw .invalid("code_challenge", "malformed") }
        return challenge
    }

    private static func key(_ thumbprint: String?) throws(AuthorizationFault) -> String? {
        guard let thumbprint else { return nil }
        guard Base64URL.decode(thumbprint)?.count == 32 else { throw .invalid("dpop_jkt", "malformed") }
        return thumbprint
    }

    /// Unknown words have no effect.
    private static func prompt(_ text: String?) throws(AuthorizationFault) -> Set<LoginPrompt> {
        let words = (text ?? "").words
        guard !words.contains(LoginPrompt.silent.rawValue) || words.count == 1 else {
            throw .invalid("prompt", "none with another value")
        }
        return Set(words.compactMap(LoginPrompt.init(rawValue:)))
    }

    private static func age(_ text: String?) throws(AuthorizationFault) -> Int? {
        guard let text else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.count <= 9 else {
            throw .invalid("max_age", "malformed")
        }
        return seconds
    }
}
