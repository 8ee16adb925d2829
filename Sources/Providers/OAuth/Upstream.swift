package import JSON
package import Logging
package import Outbound

/// The access to one provider: the only way for its adapter to reach the network.
///
/// Callouts to the operator's own services use one each, too.
///
/// It sets a deadline for each request, records the result, and maps every unusable answer to
/// ``ProviderError/unavailable(reason:retryAfter:)``. It never repeats a request.
package struct Upstream: Sendable {
    /// The time limit of one sign-in for all its requests together.
    package struct Deadline: Sendable {
        let instant: ContinuousClock.Instant
    }

    let transport: any HTTPTransport
    let health: ProviderHealth
    /// Logs details that an operator can pass to the provider: only our own words and checked values.
    let logger: Logger
    private let timeout: Duration
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - transport: has its own circuit breaker, so that failures stay with this provider.
    ///   - timeout: the time that one sign-in may spend on this provider.
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
    package func deadline() -> Deadline {
        Deadline(instant: clock() + timeout)
    }

    package func now() -> ContinuousClock.Instant {
        clock()
    }

    /// Sends `request` once and returns the response, for any status below 500 except 429.
    package func send(_ request: HTTPRequest, by deadline: Deadline) async throws(ProviderError) -> HTTPResponse {
        switch try await attempt(request, by: deadline) {
        case .success(let response): return try judged(response)
        case .failure(let error): throw failure(error)
        }
    }

    /// Sends `request` once, without checking the status.
    ///
    /// - Throws: `unavailable` if no time is left.
    package func attempt(
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

    /// The response, unless its status reports a temporary failure of the provider.
    package func judged(_ response: HTTPResponse) throws(ProviderError) -> HTTPResponse {
        guard response.status < 500, response.status != 429 else {
            throw failure("upstream_unavailable", retryAfter: Self.retryAfter(of: response) ?? 5)
        }
        health.succeeded()
        return response
    }

    /// Records a failure and returns the error to throw.
    package func failure(_ reason: String, retryAfter: Int = 5) -> ProviderError {
        health.failed(reason)
        return .unavailable(reason: reason, retryAfter: retryAfter)
    }

    /// The JSON document in a response; nil for another type, invalid JSON, or more than `maximumBytes`.
    static func json(in response: HTTPResponse, maximumBytes: Int = 65_536) -> JSON? {
        guard response.isJSON, response.body.count <= maximumBytes else { return nil }
        return try? JSON(parsing: response.body, limits: .provider)
    }

    /// The same, but only for an object.
    package static func object(in response: HTTPResponse, maximumBytes: Int = 65_536) -> JSONObject? {
        json(in: response, maximumBytes: maximumBytes)?.object
    }

    /// Records a missing response and returns the error to throw.
    package func failure(_ error: TransferError) -> ProviderError {
        // No request was sent, so this is no failure of the provider.
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

    /// The provider's `Retry-After` in seconds, limited to 1 … 300; a date there counts as absent.
    static func retryAfter(of response: HTTPResponse) -> Int? {
        response.header("Retry-After").flatMap { Int($0) }.map { min(max($0, 1), 300) }
    }
}
