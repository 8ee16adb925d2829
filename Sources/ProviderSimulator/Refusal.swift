import HTTPTypes
import JSON

/// A provider's refusal: its documented status and error word, and the exact reason for the request log.
struct Refusal: Error, Equatable, Sendable {
    /// The form of the refusal in the answer.
    enum Form: Equatable, Sendable {
        /// The provider's error body with the refusal's status.
        case usual
        /// Another answer with the same meaning.
        case answer(Answer)
        /// Through the browser, to the caller's redirect address (RFC 6749 §4.1.2.1).
        case redirect(RedirectAnswer)
    }

    let status: HTTPResponse.Status
    let error: String
    /// The description for the caller.
    let description: String
    /// The reason for the request log, which reveals more than the caller may learn, and never a secret.
    let reason: String
    var headers: HTTPFields = [:]
    var form = Form.usual

    init(_ status: HTTPResponse.Status, _ error: String, _ description: String, reason: String? = nil) {
        self.status = status
        self.error = error
        self.description = description
        self.reason = reason ?? description
    }

    /// 400, the most frequent refusal status of these providers.
    static func badRequest(_ error: String, _ description: String, reason: String? = nil) -> Refusal {
        Refusal(.badRequest, error, description, reason: reason)
    }

    static func invalidRequest(_ problem: String) -> Refusal {
        .badRequest("invalid_request", problem)
    }

    func sent(to address: ReturnAddress) -> Refusal {
        let fields = [FormField("error", error), FormField("error_description", description)]
        return inForm(.redirect(address.bearing(fields)))
    }

    func inForm(_ form: Form) -> Refusal {
        var refusal = self
        refusal.form = form
        return refusal
    }

    func answer(usual body: JSON) -> Answer {
        switch form {
        case .usual: .refusal(self, body: body)
        case .answer(let answer): answer
        case .redirect(let redirect): redirect.answer
        }
    }
}
