import HTTPTypes
import Hummingbird
package import HummingbirdCore
import Logging
import NIOCore
import Telemetry
import Traces

/// The steps around every handler, in order: request id, body, load, CORS, deadline, router, headers, metrics, access log.
///
/// Every request needs all of them, so they are plain calls instead of a chain of middleware.
struct RequestShell: Sendable {
    /// An answer, and whether the connection has to close because the rest of the request was not read.
    struct Outcome: Sendable {
        var response: Response
        var closesConnection = false
    }

    /// The most bytes of names and values in a request's header; browsers reach it with cookies.
    static let mostHeaderBytes = 16_384

    private let responder: RouterResponder<GatewayContext>
    private let routes: RouteTable
    private let logger: Logger
    private let publicURL: String
    private let timeLimit: Duration
    private let bodyLimit: BodyLimit
    private let load: LoadShedding
    private let deadlines: RequestDeadline
    private let isClockSound: @Sendable () -> Bool
    private let crossOrigin: CrossOrigin
    private let refusedOrigins: RefusedOrigins
    private let forwardedClient: ForwardedClient?
    private let speaksTLS: Bool
    private let headers: SecurityHeaders
    private let metrics: RouteMetrics
    private let accessLog: AccessLog
    private let tracing: RequestTracing
    private let refusalPage: RefusalPage?

    /// - Parameters:
    ///   - router: with all doors mounted.
    ///   - parts: its components.
    init(router: Router<GatewayContext>, parts: RequestShellParts) {
        routes = RouteTable(router)
        responder = router.buildResponder()
        logger = parts.logger
        publicURL = parts.server.publicURL
        timeLimit = parts.server.requestTimeout
        bodyLimit = BodyLimit(timeLimit: parts.server.requestTimeout)
        load = parts.load
        deadlines = parts.deadlines
        isClockSound = parts.isClockSound
        crossOrigin = parts.crossOrigin
        refusedOrigins = RefusedOrigins(publicURL: parts.server.publicURL, logger: parts.logger)
        forwardedClient = parts.server.forwardedClient
        speaksTLS = parts.speaksTLS
        headers = SecurityHeaders(
            isPubliclySecure: parts.server.isPubliclySecure, coversSubdomains: parts.server.coversSubdomains)
        metrics = RouteMetrics(parts.registry, routes: RouteTable.entries(of: router))
        accessLog = parts.accessLog
        tracing = parts.tracing
        refusalPage = parts.refusalPage
    }

    /// Answers one request; every error becomes an answer.
    func respond(to request: Request, from address: SocketAddress?) async -> Outcome {
        let received = ContinuousClock.now
        let visitor = forwardedClient.flatMap { client in
            address?.ipAddress.map { client.visitor(peer: $0, headers: request.headers) }
        }
        let givenID = RequestIDs.given(request.headers)
        let context = GatewayContext(
            source: GatewayRequestSource(
                logger: logger, requestID: RequestIDs.id(after: givenID), trace: tracing.begin(request.headers),
                received: received,
                deadline: received + timeLimit, remoteAddress: address, forwardedAddress: visitor?.address,
                isSecure: visitor?.isSecure ?? speaksTLS, publicURL: publicURL))
        var outcome = await answer(request, context)
        finish(&outcome, request, givenID, context)
        return outcome
    }

    private func answer(_ request: Request, _ context: GatewayContext) async -> Outcome {
        do {
            guard BodyLimit.hasBody(request.headers) else {
                return Outcome(response: try await admitted(request, context))
            }
            let whole: Request
            let begun = ContinuousClock.now
            do {
                defer { context.trace.add(ContinuousClock.now - begun, to: .body) }
                whole = try await bodyLimit.collect(request, since: context.received)
            } catch {
                return Outcome(response: context.response(error), closesConnection: true)
            }
            return Outcome(response: try await admitted(whole, context))
        } catch {
            return Outcome(response: context.response(ErrorBoundary.problem(for: error, context)))
        }
    }

    private func admitted(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard request.headers.bytes <= Self.mostHeaderBytes else { return refused(.headersTooLarge, request, context) }
        // PostgreSQL cannot store a NUL, so no parameter may hold one.
        guard !request.uri.holdsNUL else { throw Problem.badRequest("The address holds a NUL.") }
        // TRACE would show scripts the headers that browsers hide from them.
        guard request.method != .trace else { throw Problem.methodNotAllowed(routes.methods(at: request.uri.path)) }
        guard !Speculation.isAnnounced(in: request.headers) else { throw Problem.speculativeRequest }
        guard isClockSound() || request.uri.path.hasPrefix("/health/") else { throw Problem.clockWrong }
        guard load.enter() else { throw Problem.overloaded }
        defer { load.leave() }
        if CrossOrigin.isPreflight(request) {
            return try crossOrigin.preflight(request, methods: routes.methods(at: request.uri.path))
        }
        let response = try await deadlines.run(until: context.deadline) { [responder] in
            // Inside the deadline: a refusal stays the answer even if the time limit passes meanwhile.
            await RequestTrace.$current.withValue(context.trace) {
                do {
                    return try await responder.respond(to: request, context: context)
                } catch {
                    return context.response(ErrorBoundary.problem(for: error, context))
                }
            }
        }
        if response.status == .notFound, context.routeTemplate == nil { return unmatched(request, context) }
        return response
    }

    /// Answers a request without a route; the path may have other methods.
    private func unmatched(_ request: Request, _ context: GatewayContext) -> Response {
        let methods = routes.methods(at: request.uri.path)
        guard request.method == .options, !methods.isEmpty else {
            return refused(methods.isEmpty ? .notFound : .methodNotAllowed(methods), request, context)
        }
        return Response(status: .noContent, headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")])
    }

    /// A page for a browser, the problem document for other callers.
    private func refused(_ problem: Problem, _ request: Request, _ context: GatewayContext) -> Response {
        refusalPage?(problem, request, context) ?? context.response(problem)
    }

    private func finish(
        _ outcome: inout Outcome, _ request: Request, _ givenID: String?, _ context: GatewayContext
    ) {
        outcome.response = outcome.response.answering(request.method)
        let isCacheable = headers.apply(
            to: &outcome.response.headers, requestID: givenID ?? context.requestID)
        let refused = crossOrigin.apply(to: &outcome.response.headers, request: request, isCacheable: isCacheable)
        if let refused { refusedOrigins.note(refused, of: request) }
        if outcome.closesConnection { outcome.response.headers[.connection] = "close" }
        let now = ContinuousClock.now
        let duration = now - context.received
        let (route, status) = (context.routeTemplate, outcome.response.status.code)
        metrics.record(route: route, method: request.method, status: status, duration)
        let figures = context.trace.figures(total: duration)
        accessLog.record(
            request, outcome.response, route: route, requestID: context.requestID, figures: figures,
            traceID: context.trace.traceID)
        tracing.end(request, status, context, figures, at: now)
    }
}

extension URI {
    fileprivate var holdsNUL: Bool {
        var rest = string.utf8[...]
        while let escape = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[rest.index(after: escape)...]
            if rest.starts(with: "00".utf8) { return true }
        }
        return false
    }
}

extension HTTPFields {
    /// The length of all names and values.
    fileprivate var bytes: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}

extension Response {
    /// The answer without its body for HEAD (RFC 9110 section 9.3.2).
    ///
    /// A client would read the body as the next answer. The router handles the answers of handlers, but not refusals.
    func answering(_ method: HTTPRequest.Method) -> Response {
        method == .head ? createHeadResponse() : self
    }
}

/// The components of a ``RequestShell``.
struct RequestShellParts: Sendable {
    let server: ServerConfiguration
    /// Whether the listener uses TLS.
    var speaksTLS = false
    let logger: Logger
    let registry: MetricsRegistry
    let load: LoadShedding
    let deadlines: RequestDeadline
    let crossOrigin: CrossOrigin
    let accessLog: AccessLog
    var tracing = RequestTracing()
    /// False if this server's clock differs too much from the database's; then only health checks are answered.
    var isClockSound: @Sendable () -> Bool = { true }
    /// Nil for a listener without pages.
    var refusalPage: RefusalPage?
}

/// The page of a refusal for a browser; nil for other callers, which get the problem document.
package typealias RefusalPage = @Sendable (Problem, Request, GatewayContext) -> Response?
