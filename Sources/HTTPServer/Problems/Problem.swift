package import HTTPTypes
package import Hummingbird
package import JSON

/// A problem document (RFC 9457); handlers throw it and ``ErrorBoundary`` writes it.
///
/// Apps branch on the stable `code`; `docs/errors.md` lists every code. A problem must not contain text from a stack, a
/// statement, a token or a provider's secret.
package struct Problem: Error, Equatable, Sendable {
    /// One wrong part of the request.
    package struct Item: Equatable, Sendable {
        /// A JSON Pointer (RFC 6901) into the request's body.
        package let pointer: String
        package let code: String
        package let detail: String

        package init(pointer: String, code: String, detail: String) {
            self.pointer = pointer
            self.code = code
            self.detail = detail
        }
    }

    static let contentType = "application/problem+json"

    package let status: HTTPResponse.Status
    package let code: String
    package let title: String
    let detail: String?
    /// Seconds until a retry can succeed; also sent as `Retry-After`.
    package let retryAfter: Int?
    package let errors: [Item]
    /// Further headers, such as `WWW-Authenticate`.
    package var headers: HTTPFields
    /// Further members of the document (RFC 9457 §3.2).
    let extensions: JSONObject

    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - code: the stable name, snake_case.
    ///   - title: the same for every occurrence of the code; by default the catalogue's.
    ///   - detail: text about this occurrence, for people.
    ///   - retryAfter: seconds.
    ///   - errors: the wrong parts of the request.
    ///   - headers: further headers.
    ///   - extensions: further members of the document.
    package init(
        _ status: HTTPResponse.Status, code: String, title: String? = nil, detail: String? = nil,
        retryAfter: Int? = nil, errors: [Item] = [], headers: HTTPFields = [:],
        extensions: JSONObject = [:]
    ) {
        self.status = status
        self.code = code
        self.title = title ?? ErrorCatalogue[code]?.title ?? status.reasonPhrase
        self.detail = detail
        self.retryAfter = retryAfter
        self.errors = errors
        self.headers = headers
        self.extensions = extensions
    }

    /// The detail, or the first wrong part of the request; nil without either.
    package var explanation: String? {
        detail ?? errors.first.map { "\($0.pointer.dropFirst()): \($0.detail)" }
    }

    /// - Parameter publicURL: `type` leads to the page about the code below it.
    func json(requestID: String?, publicURL: String) -> JSON {
        var members = JSONObject()
        members["type"] = .string(publicURL + ErrorCatalogue.path(of: code))
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
        for member in extensions.members { members[member.name] = member.value }
        return .object(members)
    }

    package func response(requestID: String?, publicURL: String) -> Response {
        var fields = headers
        fields[.contentType] = Self.contentType
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        let body = ByteBuffer(bytes: json(requestID: requestID, publicURL: publicURL).bytes())
        return Response(status: status, headers: fields, body: .init(byteBuffer: body))
    }
}

extension Problem: HTTPResponseError {
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let context = context as? GatewayContext
        return response(requestID: context?.requestID, publicURL: context?.publicURL ?? "")
    }
}

extension GatewayContext {
    /// The answer with a problem document.
    package func response(_ problem: Problem) -> Response {
        problem.response(requestID: requestID, publicURL: publicURL)
    }
}
