import Synchronization

/// A transport behind a circuit breaker; one for each provider, so that one that is down harms no other.
package final class GuardedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let breaker: Mutex<CircuitBreaker>
    private let now: @Sendable () -> CircuitBreaker.Instant
    private let chance: @Sendable () -> Double

    /// - Parameters:
    ///   - now: the time; tests pass their own.
    ///   - chance: a number from 0 to 1 for the jitter.
    package init(
        _ transport: any HTTPTransport,
        configuration: CircuitBreaker.Configuration = CircuitBreaker.Configuration(),
        now: @escaping @Sendable () -> CircuitBreaker.Instant = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.transport = transport
        self.now = now
        self.chance = chance
        breaker = Mutex(CircuitBreaker(configuration: configuration))
    }

    /// Whether requests are being refused or probed at the moment.
    package var isOpen: Bool {
        if case .closed = breaker.withLock({ $0.state }) { false } else { true }
    }

    /// - Throws: `.circuitOpen` at once while the provider is left alone.
    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let permit = try admit()
        do {
            let response = try await transport.send(request)
            record(GuardedTransport.isFailure(response.status) ? .failure : .success, permit)
            return response
        } catch {
            record(GuardedTransport.result(of: error), permit)
            throw error
        }
    }

    private func admit() throws(TransferError) -> CircuitBreaker.Permit {
        switch breaker.withLock({ $0.admit(at: now()) }) {
        case .admitted(let permit): return permit
        case .refused(let wait): throw .circuitOpen(retryAfterSeconds: max(1, wait.secondsRoundedUp))
        }
    }

    private func record(_ result: CircuitBreaker.Result, _ permit: CircuitBreaker.Permit) {
        breaker.withLock { $0.record(result, for: permit, at: now(), chance: chance()) }
    }

    /// The provider's own trouble; a 4xx is an answer to what we asked.
    private static func isFailure(_ status: Int) -> Bool {
        status >= 500 || status == 429
    }

    private static func result(of error: TransferError) -> CircuitBreaker.Result {
        switch error {
        case .timedOut, .connectTimedOut, .connectFailed, .connectionLost, .tlsFailed, .resolveFailed,
            .addressRefused, .redirectRefused, .responseTooLarge, .malformedResponse:
            .failure
        case .invalidRequest, .cancelled, .overloaded, .closed, .circuitOpen: .neither
        }
    }
}

extension Duration {
    var secondsRoundedUp: Int {
        Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
    }
}
