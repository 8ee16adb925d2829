import HTTPTypes
import Hummingbird
import Sessions

/// A refusal as a page tells it: the code of the catalogue, and what fills the message's places.
struct WebRefusal: Error, Equatable, Sendable {
    let code: String
    var arguments: [String: String] = [:]
    /// In seconds, where trying again makes sense then.
    var retryAfter: Int?
    /// What the status asks for, such as `Allow`.
    var headers: HTTPFields = [:]
    /// Whether it leaves no row in the audit log where it isn't known who asks.
    var isOnlyCounted = false

    init(code: String, arguments: [String: String] = [:], retryAfter: Int? = nil, headers: HTTPFields = [:]) {
        (self.code, self.arguments, self.retryAfter, self.headers) = (code, arguments, retryAfter, headers)
    }

    /// Nil for what is no refusal but a mistake of ours.
    init?(_ error: any Error) {
        switch error {
        case let refusal as WebRefusal: self = refusal
        case let rejection as Rejection: self.init(rejection)
        case let problem as Problem:
            self.init(code: problem.code, retryAfter: problem.retryAfter, headers: problem.headers)
        default:
            guard let passing = Rejection(passing: error) else { return nil }
            self.init(passing)
        }
    }

    init(_ rejection: Rejection) {
        let problem = Problem(rejection)
        self.init(code: rejection.code, arguments: Self.arguments(rejection), retryAfter: problem.retryAfter)
        isOnlyCounted = rejection.isOnlyCounted
    }

    var status: HTTPResponse.Status { ErrorCatalogue[code]?.status ?? .internalServerError }

    /// The code under which pages speak of it: what differs for developers alone is one thing to a visitor.
    var spokenCode: String {
        switch code {
        case "database_unavailable", "deadline_exceeded", "claims_unavailable", "challenge_unavailable", "clock_wrong":
            "overloaded"
        case "provider_not_allowed": "provider_disabled"
        case "provider_misconfigured": "provider_failed"
        case "session_ended": "reauth_required"
        case "malformed_request", "invalid_request", "bad_request", "unsupported_media_type": "callback_malformed"
        default: code
        }
    }

    private static func arguments(_ rejection: Rejection) -> [String: String] {
        switch rejection {
        case .codeWrong(let left): ["left": "\(left)"]
        case .passwordTooShort(let minimum): ["minimum": "\(minimum)"]
        case .throttled(let seconds), .resendTooSoon(let seconds), .overloaded(let seconds): ["seconds": "\(seconds)"]
        default: [:]
        }
    }
}
