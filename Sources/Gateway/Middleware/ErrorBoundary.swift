import HTTPTypes
import Hummingbird
import Logging
import Sessions

/// Turns everything thrown into a problem document, so that no error's own words reach a visitor.
enum ErrorBoundary {
    /// The framework's own errors keep their status; everything else is ours to explain in the log.
    static func problem(for error: any Error, _ context: GatewayContext) -> Problem {
        if let problem = error as? Problem { return problem }
        if error is CancellationError { return .deadlineExceeded }
        if let passing = Rejection(passing: error) { return Problem(passing) }
        guard let known = error as? any HTTPResponseError, known.status.code < 500 else {
            context.logger.error("request failed", error: error)
            return .internalError
        }
        switch known.status {
        case .notFound: return .notFound
        case .contentTooLarge: return .bodyTooLarge
        default: return Problem(known.status, code: "bad_request", detail: "The request can't be understood.")
        }
    }
}
