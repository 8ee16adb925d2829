import JSON
package import Logging

/// The far side of one provider: the only way its adapter reaches the network.
///
/// Puts a deadline on each request, records how it went, and turns every way of not getting a usable answer into
/// ``ProviderError/unavailable(reason:retryAfter:)``. Never repeats a request.
package struct Upstream: Sendable {
    /// The time one sign-in has for all its requests together.
    package struct Deadline: Sendable {
        let instant: ContinuousClock.Instant
    }

    let transport: any HTTPTransport
    let health: ProviderHealth
    /// For what an operator can hand on to the provider; words of our own and shapes that were checked, nothing else.
    let logger: Logger
    private let timeout: Duration
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - transport: guarded by a circuit of this provider's own, so that its failures stay its own.
    ///   - timeout: what one sign-in may spend on asking this provider.
    ///   - logger: silent unless given.
    ///   - clock: the monotonic clock.
    package init(
        transport: any HTTPTransport, health: ProviderHealth, timeout: Duration = .seconds(5),
        logger: Logger = Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() },
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.transport = transport
        self.health = health
        self.timeout = timeout
        self.logger = logger
        self.clock = clock
    }

    /// Starts the clock of one sign-in, or of one fetch that several of them wait for.
    func deadline() -> Deadline {
        Deadline(instant: clock() + timeout)
    }

    func now() -> ContinuousClock.Instant {
        clock()
    }

    /// Sends `request` once and answers with the response, whatever its status below 500 except 429.
    func send(_ request: HTTPRequest, by deadline: Deadline) async throws(ProviderError) -> HTTPResponse {
        switch try await attempt(request, by: deadline) {
        case .success(let response): return try judged(response)
        case .failure(let error): throw failure(error)
        }
    }

    /// Sends `request` once, and judges nothing.
    ///
    /// - Throws: `unavailable` where no time is left.
    func attempt(
        _ request: HTTPRequest, by deadline: Deadline
    ) async throws(ProviderError) -> Result<HTTPResponse, TransferError> {
        let remaining = deadline.instant - clock()
        guard remaining > .zero else { throw failure("upstream_timeout") }
        var request = request
        request.deadline = remaining
        request.connectDeadline = min(remaining, request.connectDeadline)
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// The response, unless its status says that the provider can't answer now.
    func judged(_ response: HTTPResponse) throws(ProviderError) -> HTTPResponse {
        guard response.status < 500, response.status != 429 else {
            throw failure("upstream_unavailable", retryAfter: Self.retryAfter(of: response) ?? 5)
        }
        health.succeeded()
        return response
    }

    /// Records a failure and gives the error to throw for it.
    func failure(_ reason: String, retryAfter: Int = 5) -> ProviderError {
        health.failed(reason)
        return .unavailable(reason: reason, retryAfter: retryAfter)
    }

    /// The JSON document in a response; nil when it is none, says it is none, or is longer than `maximumBytes`.
    static func json(in response: HTTPResponse, maximumBytes: Int = 65_536) -> JSON? {
        guard response.isJSON, response.body.count <= maximumBytes else { return nil }
        return try? JSON(parsing: response.body, limits: .provider)
    }

    /// The same where an object is due.
    static func object(in response: HTTPResponse, maximumBytes: Int = 65_536) -> JSONObject? {
        json(in: response, maximumBytes: maximumBytes)?.object
    }

    /// The same for a response that didn't come.
    func failure(_ error: TransferError) -> ProviderError {
        // Nobody was asked: that is no failure of the provider's.
        if case .circuitOpen(let seconds) = error {
            return .unavailable(reason: "circuit_open", retryAfter: max(1, seconds))
        }
        return failure(Self.reason(for: error))
    }

    private static func reason(for error: TransferError) -> String {
        switch error {
        case .timedOut, .connectTimedOut: "upstream_timeout"
        case .connectFailed, .connectionLost, .resolveFailed: "upstream_unavailable"
        case .tlsFailed: "tls_failed"
        case .addressRefused: "address_refused"
        case .redirectRefused: "redirect_refused"
        case .responseTooLarge: "upstream_too_large"
        case .malformedResponse: "upstream_malformed"
        case .invalidRequest: "request_refused"
        case .cancelled: "cancelled"
        case .overloaded: "outbound_overloaded"
        case .closed: "shutting_down"
        case .circuitOpen: "circuit_open"
        }
    }

    /// The provider's own `Retry-After` in seconds, held to 1 … 300; a date there counts as absent.
    static func retryAfter(of response: HTTPResponse) -> Int? {
        response.header("Retry-After").flatMap { Int($0) }.map { min(max($0, 1), 300) }
    }
}
