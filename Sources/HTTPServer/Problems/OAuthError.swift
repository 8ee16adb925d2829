import HTTPTypes
package import Hummingbird
import JSON

/// A refusal with an error word of RFC 6749 §5.2 and our own code.
package struct OAuthError {
    let word: String

    /// - Parameter word: the error word of another standard, such as `invalid_scope`; nil for the word of the code.
    package init(_ problem: Problem, word: String? = nil) {
        self.word = word ?? Self.word(of: problem)
    }

    private static func word(of problem: Problem) -> String {
        switch problem.code {
        case "invalid_client", "client_unknown": "invalid_client"
        case "unsupported_grant_type", "unauthorized_client", "unsupported_token_type", "invalid_target",
            "invalid_scope",
            "invalid_client_metadata", "invalid_redirect_uri", "authorization_pending", "slow_down", "access_denied",
            "expired_token", "invalid_dpop_proof", "use_dpop_nonce":
            problem.code
        case "access_key_expired", "network_not_allowed": "unauthorized_client"
        case "access_token_invalid": "invalid_token"
        case "invalid_grant", "refresh_token_invalid", "refresh_token_expired", "refresh_token_reused",
            "session_ended", "account_disabled", "deletion_waits", "assertion_invalid":
            "invalid_grant"
        case "throttled": "temporarily_unavailable"
        case _ where problem.status.code >= 500: "temporarily_unavailable"
        default: "invalid_request"
        }
    }

    private var status: HTTPResponse.Status? {
        switch word {
        case "invalid_client", "invalid_token": .unauthorized
        case "temporarily_unavailable": nil
        default: .badRequest
        }
    }

    /// - Parameter repeatsText: whether `error_message` repeats the description, as some SDKs read it.
    package func response(_ problem: Problem, requestID: String, repeatsText: Bool = false) -> Response {
        var body: JSONObject = [
            "error": .string(word), "code": .string(problem.code), "request_id": .string(requestID),
        ]
        body["error_description"] = .string(Self.printable(problem.explanation ?? problem.title))
        if repeatsText { body["error_message"] = body["error_description"] }
        var headers = problem.headers
        if let seconds = problem.retryAfter { headers[.retryAfter] = String(seconds) }
        return .json(.object(body), status: status ?? problem.status, headers: headers)
    }

    /// The text in the characters that a description may have (RFC 6749 §5.2).
    private static func printable(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar -> Character in
            let isPrintable = (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\"
            return isPrintable ? Character(scalar) : "?"
        }
        return String(characters)
    }
}
