import HTTPTypes

/// A provider's no: the status and error word it documents, and for the request log what exactly was wrong.
struct Refusal: Error, Equatable, Sendable {
    let status: HTTPResponse.Status
    let error: String
    /// What the caller reads.
    let description: String
    /// What the request log keeps; says more than the caller may learn, and never a secret.
    let reason: String
    var headers: HTTPFields = [:]

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
}
