import HTTPTypes
import Hummingbird

/// Lets browsers call us from the origins that apps have registered, and from no other (the Fetch standard's CORS).
///
/// The origin is named, never `*`, and answers vary by it: those that may be kept by browsers and proxies say so to
/// whoever asks, since what was kept for one origin is no answer for another. An unregistered origin gets no permission:
/// its browser keeps the answer from the page.
struct CrossOrigin: Sendable {
    private static let vary = HTTPField(name: .vary, value: "Origin")
    private static let exposed = HTTPField(
        name: .accessControlExposeHeaders, value: "X-Request-Id, Retry-After, WWW-Authenticate")
    private static let credentials = HTTPField(name: .accessControlAllowCredentials, value: "true")

    /// The one path that answers to a browser's cookie; pages learn there that nobody is signed in, too.
    static let cookiePath = "/v1/session"

    private let isAllowed: @Sendable (_ origin: String, _ path: String) -> Bool

    /// - Parameter isAllowed: whether some app has registered this origin, compared as it stands, that may call this path.
    init(isAllowed: @escaping @Sendable (_ origin: String, _ path: String) -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Whether a request asks for permission first.
    static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers.contains(.origin)
            && request.headers.contains(.accessControlRequestMethod)
    }

    /// The answer to a request for permission.
    ///
    /// - Throws: ``Problem`` 403 for an unregistered origin, 404 where no route is.
    func preflight(_ request: Request, methods: [HTTPRequest.Method]) throws(Problem) -> Response {
        guard let origin = request.headers.value(.origin), isAllowed(origin, request.uri.path) else {
            throw .originNotAllowed
        }
        guard !methods.isEmpty else { throw .notFound }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: methods.map(\.rawValue).joined(separator: ", "),
                .accessControlAllowHeaders: "Authorization, Content-Type, X-Request-Id",
                .accessControlMaxAge: "600",
            ])
    }

    /// Adds the permission to an answer.
    ///
    /// - Parameter mayBeKept: whether the answer is one that caches keep.
    func apply(to headers: inout HTTPFields, request: Request, mayBeKept: Bool) {
        let origin = request.headers.value(.origin)
        if origin != nil || mayBeKept { headers.append(Self.vary) }
        guard let origin, isAllowed(origin, request.uri.path) else { return }
        headers.append(HTTPField(name: .accessControlAllowOrigin, value: origin))
        headers.append(Self.exposed)
        if request.uri.path == Self.cookiePath { headers.append(Self.credentials) }
    }
}
