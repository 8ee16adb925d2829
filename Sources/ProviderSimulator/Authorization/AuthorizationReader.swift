import Cryptography
import JSON

/// Reads the query of an authorization request by a provider's rules.
///
/// It works in two parts, since errors of the first must never go to the redirect address (RFC 6749 §4.1.2.1).
struct AuthorizationReader: Sendable {
    let rules: AuthorizationRules
    /// The query unchanged.
    let text: String
    private let query: Parameters

    private static let prompts: Set<String> = ["none", "login", "consent", "select_account"]

    init(_ text: String, rules: AuthorizationRules) throws(Refusal) {
        self.rules = rules
        self.text = text
        do {
            query = try Parameters(parsing: Array(text.utf8))
            let known = rules.requiredParameters.union(rules.optionalParameters)
            try query.expect(required: ["client_id", "redirect_uri"], optional: known)
        } catch {
            throw .invalidRequest(error.description)
        }
    }

    var clientID: String { query.value("client_id") }
    var redirectURI: String { query.value("redirect_uri") }

    /// The destination of the answer; an unknown response_mode counts as the default until `request` refuses it.
    func returnAddress(issuer: String?) -> ReturnAddress {
        ReturnAddress(
            uri: redirectURI, mode: responseMode ?? rules.responseModes[0], state: query["state"], issuer: issuer)
    }

    func request(returning address: ReturnAddress, variable: String) throws(Refusal) -> AuthorizationRequest {
        do {
            try query.expect(required: rules.requiredParameters, optional: rules.optionalParameters)
        } catch {
            throw .invalidRequest(error.description)
        }
        guard responseMode != nil else { throw .invalidRequest("Invalid response mode") }
        try checkResponseType()
        try checkPrompt()
        return AuthorizationRequest(
            query: text, clientID: clientID, returning: address, responseType: query["response_type"] ?? "code",
            scopes: try scopes(), nonce: query["nonce"], challenge: try challenge(),
            loginHint: query["login_hint"], asksSignInTime: try asksSignInTime(), variable: variable)
    }

    /// Nil if the requested one is unknown.
    private var responseMode: ResponseMode? {
        guard let name = query["response_mode"] else { return rules.responseModes.first }
        return ResponseMode(rawValue: name).flatMap { rules.responseModes.contains($0) ? $0 : nil }
    }

    private func checkResponseType() throws(Refusal) {
        guard let type = query["response_type"], !rules.responseTypes.contains(where: type.hasSameBytes) else { return }
        // Apple has no error word for it.
        let word = rules.sendsErrorsBack ? "unsupported_response_type" : "invalid_request"
        throw .badRequest(word, "response_type is \(rules.responseTypes.joined(separator: " or "))")
    }

    /// The simulator has no sessions, so without a page this is the only answer.
    private func checkPrompt() throws(Refusal) {
        guard let prompt = query["prompt"] else { return }
        let values = prompt.split(separator: " ", omittingEmptySubsequences: false)
        guard values.allSatisfy({ Self.prompts.contains(String($0)) }) else {
            throw .invalidRequest("prompt has values that are not known")
        }
        guard values.contains("none") else { return }
        guard values.count == 1 else { throw .invalidRequest("prompt none stands with nothing else") }
        throw .badRequest("login_required", "Nobody is signed in.")
    }

    private func asksSignInTime() throws(Refusal) -> Bool {
        guard let age = query["max_age"] else { return false }
        guard let seconds = Int(age), seconds >= 0 else { throw .invalidRequest("max_age is a number of seconds") }
        return true
    }

    private func scopes() throws(Refusal) -> [String] {
        let asked = (query["scope"] ?? "").split(separator: " ").map(String.init)
        guard asked.allSatisfy({ one in rules.scopes.contains(where: one.hasSameBytes) }) else {
            throw .badRequest("invalid_scope", "scope is of \(rules.scopes.joined(separator: ", "))")
        }
        guard Set(asked).count == asked.count else { throw .badRequest("invalid_scope", "a scope is asked for twice") }
        if case .including(let name) = rules.scopeRule, !asked.contains(name) {
            throw .badRequest("invalid_scope", "scope must contain \(name)")
        }
        return asked
    }

    private func challenge() throws(Refusal) -> MintOrder.Challenge {
        let method = query["code_challenge_method"]
        guard let challenge = query["code_challenge"] else {
            guard method == nil else { throw .invalidRequest("code_challenge_method came without code_challenge") }
            return .none
        }
        guard method != "S256" else {
            guard Base64URL.decode(challenge)?.count == 32 else {
                throw .invalidRequest("code_challenge is not a SHA-256 in base64url")
            }
            return .given(challenge)
        }
        guard rules.allowsPlainChallenge, method == nil || method == "plain" else {
            throw .invalidRequest("code_challenge_method must be S256")
        }
        guard ProofKey.isWellFormed(challenge) else { throw .invalidRequest("code_challenge is malformed") }
        // A plain challenge is the verifier itself; codes store its hash.
        return .given(Base64URL.encode(SHA256.hash(challenge)))
    }
}
