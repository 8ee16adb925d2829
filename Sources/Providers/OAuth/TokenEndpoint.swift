import Cryptography
import FoundationEssentials
import JSON
import Outbound

/// An OAuth 2.0 token endpoint (RFC 6749 §3.2).
///
/// A code is sent at most once.
struct TokenEndpoint: Sendable {
    /// The client authentication.
    enum Client: Sendable {
        case secretInForm(Secret)
        case basic(Secret)
        /// A public client: PKCE alone binds the code.
        case none
    }

    /// The party at fault for an `error` word, if RFC 6749 §5.2 leaves room or a provider deviates.
    enum Fault: Sendable {
        case code, configuration, provider
    }

    struct Answer: Sendable {
        let accessToken: Secret?
        let refreshToken: Secret?
        let idToken: String?
    }

    /// The reason for a malformed request; one provider uses the word for many other cases.
    static let requestInvalid = "token_request_invalid"

    let url: String
    let upstream: Upstream
    /// Words with another meaning here than in ``fault(of:)``.
    var exceptions: [String: Fault] = [:]
    /// Reads the word out of `error`, for providers that put more than a word there.
    var errorWord: @Sendable (JSON) -> String? = { $0.string }

    /// Exchanges a code.
    ///
    /// - Throws: `refused(.codeInvalid)` if the provider refuses the code, `misconfigured` if it refuses the client,
    ///   `unavailable` for every failure of the provider.
    func exchange(
        code: String, clientID: String, client: Client, redirectURI: String? = nil, codeVerifier: String? = nil,
        by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Answer {
        var fields = [("grant_type", "authorization_code"), ("code", code)]
        if let redirectURI { fields.append(("redirect_uri", redirectURI)) }
        if let codeVerifier { fields.append(("code_verifier", codeVerifier)) }
        return try await ask(fields, clientID: clientID, client: client, by: deadline)
    }

    /// Requests tokens with a refresh token (RFC 6749 §6).
    ///
    /// - Throws: `refused(.codeInvalid)` if the token is no longer valid, otherwise as for codes.
    func refresh(
        _ token: Secret, clientID: String, client: Client, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Answer {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", token.revealedText)]
        return try await ask(fields, clientID: clientID, client: client, by: deadline)
    }

    /// Requests a token for the client itself (RFC 6749 §4.4).
    func clientCredentials(
        scope: String, clientID: String, client: Client, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Answer {
        let fields = [("grant_type", "client_credentials"), ("scope", scope)]
        return try await ask(fields, clientID: clientID, client: client, by: deadline)
    }

    private func ask(
        _ fields: [(String, String)], clientID: String, client: Client, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Answer {
        let (proof, headers) = client.proof(of: clientID)
        return try read(try await upstream.send(.form(url, fields + proof, headers: headers), by: deadline))
    }

    /// The required ID token of an answer.
    func idToken(in answer: Answer) throws(ProviderError) -> JWT {
        guard let text = answer.idToken, let jwt = try? JWT(parsing: text) else {
            throw upstream.failure("upstream_malformed")
        }
        return jwt
    }

    private func read(_ response: HTTPResponse) throws(ProviderError) -> Answer {
        guard let object = Upstream.object(in: response) else { throw upstream.failure("upstream_malformed") }
        guard response.status == 200, object["error"] == nil else { throw error(in: object) }
        guard object["token_type"]?.string.map({ ASCII.equalIgnoringCase($0, "bearer") }) ?? true,
            Self.isAbsurd(expiresIn: object["expires_in"]) == false
        else { throw upstream.failure("upstream_malformed") }
        return Answer(
            accessToken: object["access_token"]?.string.map { Secret($0) },
            refreshToken: object["refresh_token"]?.string.map { Secret($0) },
            idToken: object["id_token"]?.string)
    }

    private func error(in object: JSONObject) -> ProviderError {
        guard let word = object["error"].flatMap(errorWord) else { return upstream.failure("upstream_malformed") }
        switch exceptions[word] ?? Self.fault(of: word) {
        case .code: return .refused(.codeInvalid)
        case .configuration:
            let reason = Self.reason(for: word)
            upstream.health.failed(reason)
            return .misconfigured(reason: reason)
        case .provider: return upstream.failure("upstream_unavailable")
        }
    }

    /// Maps the words of RFC 6749 §5.2; an unknown one is the provider's fault.
    private static func fault(of word: String) -> Fault {
        switch word {
        case "invalid_grant": .code
        case "invalid_client", "invalid_request", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
            .configuration
        default: .provider
        }
    }

    private static func reason(for word: String) -> String {
        switch word {
        case "invalid_client", "incorrect_client_credentials": "client_secret_rejected"
        case "invalid_request": requestInvalid
        default: "token_request_rejected"
        }
    }

    /// Some servers send the number as a string.
    private static func isAbsurd(expiresIn value: JSON?) -> Bool {
        guard let value else { return false }
        guard let seconds = value.integer ?? value.string.flatMap({ Int($0) }) else { return true }
        return !(1...31_536_000).contains(seconds)
    }
}

extension TokenEndpoint.Client {
    /// The client authentication in the form and headers.
    func proof(of clientID: String) -> (fields: [(String, String)], headers: [(name: String, value: String)]) {
        var headers = [(name: "Accept", value: "application/json")]
        switch self {
        case .secretInForm(let secret):
            return ([("client_id", clientID), ("client_secret", secret.revealedText)], headers)
        case .basic(let secret):
            headers.append((name: "Authorization", value: Self.basic(clientID, secret)))
            return ([], headers)
        case .none: return ([("client_id", clientID)], headers)
        }
    }

    /// RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
    private static func basic(_ id: String, _ secret: Secret) -> String {
        let text = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret.revealedText)
        return "Basic " + Data(text.utf8).base64EncodedString()
    }
}
