import Synchronization

/// A transport with a circuit breaker, one for each provider, so that an outage of one does not affect others.
///
/// A slow provider holds its requests until their deadline. It has a fixed number of places, since all providers share
/// the places of one client.
package final class GuardedTransport: HTTPTransport {
    private struct State {
        var breaker: CircuitBreaker
        var inFlight = 0

        /// Takes a place; nil if there is none.
        mutating func admit(at now: CircuitBreaker.Instant, upTo limit: Int) -> CircuitBreaker.Admission? {
            // This check comes first, since the circuit expects a result for every admitted request.
            guard inFlight < limit else { return nil }
            let admission = breaker.admit(at: now)
            if case .admitted = admission { inFlight += 1 }
            return admission
        }
    }

    private let transport: any HTTPTransport
    private let maximumInFlight: Int
    private let state: Mutex<State>
    private let now: @Sendable () -> CircuitBreaker.Instant
    private let chance: @Sendable () -> Double

    /// - Parameters:
    ///   - maximumInFlight: requests beyond this number fail with ``TransferError/overloaded`` at once.
    ///   - now: the time; tests pass their own.
    ///   - chance: a number from 0 to 1 for the jitter.
    package init(
        _ transport: any HTTPTransport,
        configuration: CircuitBreaker.Configuration = CircuitBreaker.Configuration(),
        maximumInFlight: Int = 64,
        now: @escaping @Sendable () -> CircuitBreaker.Instant = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.transport = transport
        self.maximumInFlight = maximumInFlight
        self.now = now
        self.chance = chance
        state = Mutex(State(breaker: CircuitBreaker(configuration: configuration)))
    }

    /// Whether the circuit is refusing or probing at the moment.
    package var isOpen: Bool {
        if case .closed = state.withLock({ $0.breaker.state }) { false } else { true }
    }

    /// Whether the circuit would refuse a request now; false again once a probe is due.
    package var isRefusing: Bool { state.withLock { $0.breaker.refuses(at: now()) } }

    /// - Throws: `.circuitOpen` at once while the circuit is open, `.overloaded` while all its places are taken.
    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let permit = try admit()
        defer { state.withLock { $0.inFlight -= 1 } }
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
        switch state.withLock({ $0.admit(at: now(), upTo: maximumInFlight) }) {
        case .admitted(let permit)?: return permit
        case .refused(let wait)?: throw .circuitOpen(retryAfterSeconds: max(1, wait.secondsRoundedUp))
        case nil: throw .overloaded
        }
    }

    private func record(_ result: CircuitBreaker.Result, _ permit: CircuitBreaker.Permit) {
        state.withLock { $0.breaker.record(result, for: permit, at: now(), chance: chance()) }
    }

    /// A failure of the provider; a 4xx is a valid answer to our request.
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
    package var secondsRoundedUp: Int {
        Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
    }
}
