import HTTPServer
package import HTTPTypes
import Hummingbird
package import Vocabulary

/// A refusal for a page: the code of the catalogue, and the values in its message.
package struct WebRefusal: Error, Equatable, Sendable {
    package let code: String
    package var arguments: [String: String] = [:]
    /// In seconds, if a later retry can succeed.
    var retryAfter: Int?
    /// The headers that the status requires, such as `Allow`.
    var headers: HTTPFields = [:]
    /// For the app's developer, in English.
    private(set) var detail: String?

    package init(
        code: String, arguments: [String: String] = [:], retryAfter: Int? = nil, headers: HTTPFields = [:],
        detail: String? = nil
    ) {
        (self.code, self.arguments, self.retryAfter, self.headers) = (code, arguments, retryAfter, headers)
        self.detail = detail
    }

    /// Nil for an error, which is not a refusal.
    package init?(_ error: any Error) {
        switch error {
        case let refusal as WebRefusal: self = refusal
        case let rejection as Rejection: self.init(rejection)
        case let problem as Problem:
            self.init(code: problem.code, retryAfter: problem.retryAfter, headers: problem.headers)
            detail = problem.explanation
        default:
            guard let passing = Rejection(passing: error) else { return nil }
            self.init(passing)
        }
    }

    package init(_ rejection: Rejection) {
        let problem = Problem(rejection)
        self.init(code: rejection.code, arguments: Self.arguments(rejection), retryAfter: problem.retryAfter)
        detail = problem.explanation
        guard case .redirectNotAllowed(_, let registered) = rejection, !registered.isEmpty else { return }
        detail = [detail, "Registered: \(registered.joined(separator: ", "))."].compactMap(\.self)
            .joined(separator: " ")
    }

    package var status: HTTPResponse.Status { ErrorCatalogue[code]?.status ?? .internalServerError }

    /// The detail for the page.
    ///
    /// The developer of an app that no operator added has no other answer, so its page has the detail in production too.
    ///
    /// - Parameter showsAll: whether every page shows it, in development.
    func shownDetail(showsAll: Bool) -> String? {
        showsAll || ["client_document_refused", "app_request_refused"].contains(code) ? detail : nil
    }

    /// The code for pages; codes that differ only for developers share one.
    var spokenCode: String {
        switch code {
        case "database_unavailable", "deadline_exceeded", "claims_unavailable", "challenge_unavailable", "clock_wrong":
            "overloaded"
        case "provider_not_allowed": "provider_disabled"
        case "provider_misconfigured": "provider_failed"
        case "session_ended", "login_required": "reauth_required"
        case "malformed_request", "invalid_request", "bad_request", "unsupported_media_type": "callback_malformed"
        default: code
        }
    }

    /// The notice for the refusal; all refusals of a provider's credential share one.
    var noticeCode: NoticeCode {
        let code = spokenCode
        if let notice = NoticeCode(rawValue: code) { return notice }
        let isCredential = (ErrorCatalogue.credentials + ErrorCatalogue.nonces).contains { $0.code == code }
        return isCredential ? .credentialRefused : .internalError
    }

    private static func arguments(_ rejection: Rejection) -> [String: String] {
        switch rejection {
        case .codeWrong(let left, _): ["left": "\(left)"]
        case .passwordTooShort(let minimum): ["minimum": "\(minimum)"]
        case .throttled(let seconds), .resendTooSoon(let seconds), .overloaded(let seconds): ["seconds": "\(seconds)"]
        default: [:]
        }
    }
}

extension WebRefusal {
    /// A request without a page that needs one.
    package static let loginRequired = WebRefusal(code: "login_required")
}
