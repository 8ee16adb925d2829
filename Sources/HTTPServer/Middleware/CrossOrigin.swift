import Clients
import HTTPTypes
import Hummingbird

/// CORS (Fetch standard): allows browsers to call from the origins that clients have registered.
///
/// Answers name the origin, except those of public paths. Every cacheable answer has `Vary: Origin`, because an answer for one origin is wrong
/// for another. An unregistered origin gets no permission, so its browser hides the answer from the page.
struct CrossOrigin: Sendable {
    private static let vary = HTTPField(name: .vary, value: "Origin")
    private static let exposed = HTTPField(
        name: .accessControlExposeHeaders, value: "X-Request-Id, Retry-After, WWW-Authenticate, DPoP-Nonce")
    private static let anyOrigin = HTTPField(name: .accessControlAllowOrigin, value: "*")
    private static let credentials = HTTPField(name: .accessControlAllowCredentials, value: "true")

    private static let dialectExposed = HTTPField(
        name: .accessControlExposeHeaders,
        value: "x-amzn-RequestId, x-amzn-ErrorType, x-amzn-ErrorMessage, x-ms-request-id, client-request-id, Date")

    /// The one path that accepts a cookie from other origins.
    static let cookiePath = "/v1/session"

    private let isAllowed: @Sendable (_ origin: String, _ path: String) -> Bool

    /// - Parameter isAllowed: whether a client that may call this path has registered exactly this origin.
    init(isAllowed: @escaping @Sendable (_ origin: String, _ path: String) -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Whether a request is a preflight.
    static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers.contains(.origin)
            && request.headers.contains(.accessControlRequestMethod)
    }

    /// The answer to a preflight.
    ///
    /// - Throws: ``Problem`` 403 for an unregistered origin, 404 without a route.
    func preflight(_ request: Request, methods: [HTTPRequest.Method]) throws(Problem) -> Response {
        let origin = request.headers.value(.origin) ?? ""
        guard Self.isPublic(request.uri.path) || serves(origin, request.uri.path) else {
            throw .originNotAllowed(origin)
        }
        guard !methods.isEmpty else { throw .notFound }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: methods.map(\.rawValue).joined(separator: ", "),
                .accessControlAllowHeaders: Self.allowedHeaders(of: request), .accessControlMaxAge: "600",
            ])
    }

    /// Scripts call no authorization endpoint: browsers visit it (RFC 9700 §2.6).
    private func serves(_ origin: String, _ path: String) -> Bool {
        !path.hasSuffix("/authorize") && isAllowed(origin, path)
    }

    /// Other vendors' SDKs send headers of their own, and apps can add any.
    ///
    /// Their paths accept no cookie, so every header is allowed there.
    private static func allowedHeaders(of request: Request) -> String {
        let asked = request.headers.value(.accessControlRequestHeaders) ?? ""
        guard isOfDialect(request.uri.path) || isPublic(request.uri.path), asked.utf8.count <= 1_024,
            asked.utf8.allSatisfy(isInHeaderList)
        else {
            return "Authorization, Content-Type, DPoP, X-Request-Id, traceparent, tracestate"
        }
        return asked
    }

    /// Whether every origin may read the answers, without cookies: public documents, and UserInfo, which takes a token.
    private static func isPublic(_ path: String) -> Bool {
        path == "/userinfo" || path.hasPrefix("/v1/register") || path.hasPrefix(ProtectedResource.metadataPath)
            || path.hasPrefix("/.well-known/")
                && ["jwks.json", "openid-configuration", "oauth-authorization-server"].contains(
                    where: path.hasSuffix)
    }

    private static func isOfDialect(_ path: String) -> Bool {
        path == "/" || path.hasPrefix("/oauth2/")
            || ["/oauth2/v2.0/", "/signup/v1.0/", "/resetpassword/v1.0/", "/register/v1.0/", "/api/v2.0/"].contains(
                where: path.contains)
    }

    /// Whether it may occur in a list of header names (RFC 9110 §5.1, §5.6.1).
    private static func isInHeaderList(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: " ,-_.!#$%&'*+^`|~".utf8.contains(byte)
        }
    }

    /// Adds the CORS headers to an answer.
    ///
    /// - Parameter isCacheable: whether caches may store the answer.
    /// - Returns: the origin of the request if it gets no permission.
    func apply(to headers: inout HTTPFields, request: Request, isCacheable: Bool) -> String? {
        let origin = request.headers.value(.origin)
        if Self.isPublic(request.uri.path) {
            headers.append(Self.anyOrigin)
            headers.append(Self.exposed)
            return nil
        }
        if origin != nil || isCacheable { headers.append(Self.vary) }
        guard let origin, serves(origin, request.uri.path) else { return origin }
        headers.append(HTTPField(name: .accessControlAllowOrigin, value: origin))
        headers.append(Self.isOfDialect(request.uri.path) ? Self.dialectExposed : Self.exposed)
        if request.uri.path == Self.cookiePath { headers.append(Self.credentials) }
        return nil
    }
}
