import HTTPTypes
import JSON

/// A provider's no: the status and error word it documents, and for the request log what exactly was wrong.
struct Refusal: Error, Equatable, Sendable {
    /// In what form the no goes out.
    enum Form: Equatable, Sendable {
        /// The provider's error body with the refusal's status.
        case usual
        /// Something else that says the same.
        case answer(Answer)
        /// Through the browser, to the caller's redirect address (RFC 6749 §4.1.2.1).
        case redirect(RedirectAnswer)
    }

    let status: HTTPResponse.Status
    let error: String
    /// What the caller reads.
    let description: String
    /// What the request log keeps; says more than the caller may learn, and never a secret.
    let reason: String
    var headers: HTTPFields = [:]
    var form = Form.usual

    init(_ status: HTTPResponse.Status, _ error: String, _ description: String, reason: String? = nil) {
        self.status = status
        self.error = error
        self.description = description
        self.reason = reason ?? description
    }

    /// 400, which most of these providers answer to most of what they refuse.
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
