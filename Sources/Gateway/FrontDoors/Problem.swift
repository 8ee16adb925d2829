import HTTPTypes
import Hummingbird
import JSON

/// An answer that says what went wrong (RFC 9457), thrown by handlers and written by ``ErrorBoundaryMiddleware``.
///
/// `code` is the stable name that apps branch on; `docs/errors.md` lists each. Nothing in here may come from a stack, a
/// statement, a token or a provider's secret.
struct Problem: Error, Equatable, Sendable {
    /// One part of the request that is wrong.
    struct Item: Equatable, Sendable {
        /// A JSON Pointer (RFC 6901) into the request's body.
        let pointer: String
        let code: String
        let detail: String

        init(pointer: String, code: String, detail: String) {
            self.pointer = pointer
            self.code = code
            self.detail = detail
        }
    }

    static let contentType = "application/problem+json"

    let status: HTTPResponse.Status
    let code: String
    let title: String
    let detail: String?
    /// Seconds after which it makes sense to try again; also sent as `Retry-After`.
    let retryAfter: Int?
    let errors: [Item]
    /// Further headers, such as `WWW-Authenticate`.
    let headers: HTTPFields

    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - code: the stable name, snake_case.
    ///   - title: the same for every occurrence of the code; the status's phrase when left out.
    ///   - detail: about this occurrence, for people.
    ///   - retryAfter: seconds.
    ///   - errors: the parts of the request that are wrong.
    ///   - headers: further headers.
    init(
        _ status: HTTPResponse.Status, code: String, title: String? = nil, detail: String? = nil,
        retryAfter: Int? = nil, errors: [Item] = [], headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title ?? status.reasonPhrase
        self.detail = detail
        self.retryAfter = retryAfter
        self.errors = errors
        self.headers = headers
    }

    /// The document.
    func json(requestID: String?) -> JSON {
        var members = JSONObject()
        members["type"] = .string("urn:login-gateway:error:\(code)")
        members["title"] = .string(title)
        members["status"] = .integer(status.code)
        members["detail"] = detail.map { .string($0) }
        members["code"] = .string(code)
        members["request_id"] = requestID.map { .string($0) }
        members["retry_after"] = retryAfter.map { .integer($0) }
        if !errors.isEmpty {
            members["errors"] = .array(
                errors.map { ["pointer": .string($0.pointer), "code": .string($0.code), "detail": .string($0.detail)] })
        }
        return .object(members)
    }

    /// The whole answer.
    func response(requestID: String?) -> Response {
        var fields = headers
        fields[.contentType] = Self.contentType
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        let body = ByteBuffer(bytes: json(requestID: requestID).bytes())
        return Response(status: status, headers: fields, body: .init(byteBuffer: body))
    }
}

extension Problem: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        response(requestID: (context as? GatewayContext)?.requestID)
    }
}

/// The problems that belong to no operation.
extension Problem {
    static let notFound = Problem(.notFound, code: "not_found", detail: "There is nothing at this path.")

    static let internalError = Problem(
        .internalServerError, code: "internal_error", detail: "Something went wrong on our side; the request id names it in the log.")

    static let overloaded = Problem(
        .serviceUnavailable, code: "overloaded", title: "Overloaded", detail: "Too much is being done at once.", retryAfter: 1)

    static let deadlineExceeded = Problem(
        .serviceUnavailable, code: "deadline_exceeded", title: "Deadline exceeded",
        detail: "The request took too long and was stopped.", retryAfter: 1)

    static let bodyTooLarge = Problem(
        .contentTooLarge, code: "body_too_large", detail: "A body may have at most 65,536 bytes.")

    static let bodyTooSlow = Problem(
        .requestTimeout, code: "body_too_slow", detail: "The body did not arrive in time.")

    static let originNotAllowed = Problem(
        .forbidden, code: "origin_not_allowed", detail: "This web origin is not registered for any app.")

    /// - Parameter methods: what the path takes.
    static func methodNotAllowed(_ methods: [HTTPRequest.Method]) -> Problem {
        Problem(
            .methodNotAllowed, code: "method_not_allowed", detail: "This path does not take this method.",
            headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")])
    }

    /// - Parameter expected: the media type that is taken.
    static func unsupportedMediaType(expected: String) -> Problem {
        Problem(.unsupportedMediaType, code: "unsupported_media_type", detail: "The body must be \(expected).")
    }

    /// A member of the body that is missing or wrong.
    ///
    /// - Parameters:
    ///   - pointer: where, as a JSON Pointer.
    ///   - detail: what was expected; never the value itself.
    ///   - code: the item's code.
    static func invalidRequest(_ pointer: String, _ detail: String, code: String = "invalid") -> Problem {
        Problem(
            .badRequest, code: "invalid_request", title: "Invalid request",
            errors: [.init(pointer: pointer, code: code, detail: detail)])
    }

    /// A body that is no JSON text.
    static func malformedRequest(_ detail: String, errors: [Item] = []) -> Problem {
        Problem(.badRequest, code: "malformed_request", title: "Malformed request", detail: detail, errors: errors)
    }
}

extension Response {
    /// A JSON answer.
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - status: the HTTP status.
    ///   - headers: further headers; `Cache-Control: no-store` is added later unless one is here.
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var fields = headers
        fields.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
    }
}
