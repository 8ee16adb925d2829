import Foundation
public import GatewayClient

extension FakeGateway.Reply {
    /// A refusal with any code.
    ///
    /// - Parameters:
    ///   - code: `docs/errors.md` lists cause and status of each.
    ///   - status: of HTTP.
    ///   - title: a sentence for the user.
    ///   - detail: about this occurrence.
    ///   - retryAfter: seconds.
    public static func refused(
        _ code: ErrorCode, status: Int, title: String = "Refused", detail: String? = nil, retryAfter: Int? = nil
    ) -> Self { Self(.refused(Refusal(code, status, title, detail: detail, retryAfter: retryAfter))) }

    /// Name or password is wrong.
    public static func invalidCredentials() -> Self {
        refused(.invalidCredentials, status: 401, title: "Name or password is wrong")
    }

    /// The code is wrong.
    public static func wrongCode(triesLeft: Int = 4) -> Self {
        let detail = triesLeft == 1 ? "1 try is left." : "\(triesLeft) tries are left."
        return refused(.codeWrong, status: 400, title: "The code is wrong", detail: detail)
    }

    /// There were too many attempts.
    public static func throttled(retryAfter: Int = 60) -> Self {
        refused(.throttled, status: 429, title: "Slow down", retryAfter: retryAfter)
    }

    /// A code was sent a moment ago.
    public static func resendTooSoon(retryAfter: Int = 30) -> Self {
        refused(.resendTooSoon, status: 429, title: "Too soon", retryAfter: retryAfter)
    }

    /// The session of the call has ended; ``FakeGateway/endSessions(reason:)`` ends it for all calls.
    public static func sessionEnded(reason: String = "signed_out") -> Self {
        Self(.refused(.sessionEnded(reason)))
    }
}

/// A problem document.
struct Refusal: Sendable {
    let status: Int
    let headers: [String: String]
    let body: JSONValue

    init(
        _ code: ErrorCode, _ status: Int, _ title: String, detail: String? = nil, retryAfter: Int? = nil,
        reason: String? = nil, challenge: Bool = false
    ) {
        self.status = status
        var headers = ["content-type": "application/problem+json"]
        var members: [String: JSONValue] = [
            "type": .string("https://login.example.com/errors/\(code.rawValue)"), "title": .string(title),
            "status": .number(Double(status)), "code": .string(code.rawValue), "request_id": "request-1",
        ]
        if let detail { members["detail"] = .string(detail) }
        if let reason { members["reason"] = .string(reason) }
        if challenge { headers["www-authenticate"] = #"Bearer realm="login-gateway", error="invalid_token""# }
        if let retryAfter {
            headers["retry-after"] = String(retryAfter)
            members["retry_after"] = .number(Double(retryAfter))
        }
        (self.headers, body) = (headers, .object(members))
    }

    static func sessionEnded(_ reason: String) -> Refusal {
        Refusal(.sessionEnded, 401, "Sign in again", reason: reason, challenge: true)
    }
}
