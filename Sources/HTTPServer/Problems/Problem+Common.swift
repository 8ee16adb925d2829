package import HTTPTypes
import Vocabulary

/// The problems that every operation shares.
extension Problem {
    package static let notFound = Problem(.notFound, code: "not_found", detail: "There is nothing at this path.")

    package static let internalError = Problem(
        .internalServerError, code: "internal_error",
        detail: "Something went wrong on our side; the request id names it in the log.")

    static let overloaded = Problem(
        .serviceUnavailable, code: "overloaded", title: "Overloaded", detail: "Too much is being done at once.",
        retryAfter: 1)

    static let deadlineExceeded = Problem(
        .serviceUnavailable, code: "deadline_exceeded", title: "Deadline exceeded",
        detail: "The request took too long and was stopped.", retryAfter: 1)

    static let clockWrong = Problem(
        .serviceUnavailable, code: "clock_wrong", title: "Not available",
        detail: "This server's clock is too far from the database's.", retryAfter: 30)

    package static let headersTooLarge = Problem(
        .requestHeaderFieldsTooLarge, code: "headers_too_large",
        detail: "The header fields may have at most 16,384 bytes, in 100 fields.")

    package static let bodyTooLarge = Problem(
        .contentTooLarge, code: "body_too_large", detail: "A body may have at most 65,536 bytes.")

    static let bodyTooSlow = Problem(
        .requestTimeout, code: "body_too_slow", detail: "The body did not arrive in time.")

    static let transferCodingUnsupported = Problem(
        .notImplemented, code: "transfer_coding_unsupported", detail: "The only transfer coding is chunked.")

    package static func originNotAllowed(_ origin: String) -> Problem {
        Problem(.forbidden, code: "origin_not_allowed", detail: "No app has registered the origin \(SentText(origin)).")
    }

    static let speculativeRequest = Problem(
        .forbidden, code: "speculative_request", detail: "A prefetch, a preview or HEAD has no effect here.")

    package static let tooManyStreams = Problem(
        .tooManyRequests, code: "too_many_streams", detail: "This session has four event streams open.", retryAfter: 5)

    /// - Parameter methods: the methods that the path accepts.
    package static func methodNotAllowed(_ methods: [HTTPRequest.Method]) -> Problem {
        Problem(
            .methodNotAllowed, code: "method_not_allowed", detail: "This path does not take this method.",
            headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")])
    }

    /// - Parameter expected: the media type that the path accepts.
    static func unsupportedMediaType(expected: String) -> Problem {
        Problem(.unsupportedMediaType, code: "unsupported_media_type", detail: "The body must be \(expected).")
    }

    /// Reports an invalid HTTP request, or an address outside every possible path.
    static func badRequest(_ detail: String) -> Problem {
        Problem(.badRequest, code: "bad_request", detail: detail)
    }

    /// Reports a body that is not valid JSON.
    package static func malformedRequest(_ detail: String, errors: [Item] = []) -> Problem {
        Problem(.badRequest, code: "malformed_request", title: "Malformed request", detail: detail, errors: errors)
    }
}
