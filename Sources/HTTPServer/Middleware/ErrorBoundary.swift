import HTTPTypes
import Hummingbird
import Logging
import Vocabulary

/// Converts every thrown error into a problem document, so that no internal text reaches a client.
enum ErrorBoundary {
    /// Errors of the framework keep their status.
    ///
    /// All others are logged and become `internal_error`.
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
