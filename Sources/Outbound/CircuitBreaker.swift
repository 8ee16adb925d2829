/// Holds requests to a provider after several failures in a row, then probes it with one request at a time.
///
/// It is a pure machine: time and chance are passed in. It is closed until ``Configuration/failureThreshold``
/// consecutive failures, then open for a cool-down, then half-open. Half-open, it admits one request as a probe. A
/// successful probe closes the circuit. A failed probe opens it for twice as long, up to a limit.
package struct CircuitBreaker: Sendable {
    package struct Configuration: Sendable {
        package var failureThreshold: Int
        package var coolDown: Duration
        package var maximumCoolDown: Duration
        /// The random share of a cool-down, so that several servers do not probe at the same time.
        package var jitter: Double

        package init(
            failureThreshold: Int = 5, coolDown: Duration = .seconds(2), maximumCoolDown: Duration = .seconds(60),
            jitter: Double = 0.25
        ) {
            self.failureThreshold = max(1, failureThreshold)
            self.coolDown = coolDown
            self.maximumCoolDown = maximumCoolDown
            self.jitter = jitter
        }
    }

    package typealias Instant = ContinuousClock.Instant

    package enum State: Sendable, Equatable {
        case closed(failures: Int)
        case open(until: Instant, coolDown: Duration)
        /// A probe is in progress.
        case halfOpen(coolDown: Duration)
    }

    /// The permission to send one request.
    ///
    /// Its result counts only while the circuit is in the state that allowed it.
    package struct Permit: Sendable, Equatable {
        fileprivate let epoch: Int
    }

    package enum Admission: Sendable, Equatable {
        case admitted(Permit)
        case refused(retryAfter: Duration)
    }

    package enum Result: Sendable, Equatable {
        case success
        case failure
        /// The request proves nothing about the provider: it was cancelled, or refused on our side.
        case neither
    }

    package private(set) var state = State.closed(failures: 0)
    private let configuration: Configuration
    private var epoch = 0

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Asks for permission to send a request now.
    package mutating func admit(at now: Instant) -> Admission {
        switch state {
        case .closed: return .admitted(Permit(epoch: epoch))
        case .open(let until, _) where now < until: return .refused(retryAfter: now.duration(to: until))
        case .open(_, let coolDown):
            enter(.halfOpen(coolDown: coolDown))
            return .admitted(Permit(epoch: epoch))
        case .halfOpen(let coolDown): return .refused(retryAfter: coolDown)
        }
    }

    /// Whether a request would be refused now.
    ///
    /// This is false after a cool-down although the circuit is open, because the next request is the probe.
    package func refuses(at now: Instant) -> Bool {
        switch state {
        case .closed: false
        case .open(let until, _): now < until
        case .halfOpen: true
        }
    }

    /// Records the result of an admitted request.
    ///
    /// - Parameter chance: from 0 to 1, for the jitter of a cool-down that may begin.
    package mutating func record(_ result: Result, for permit: Permit, at now: Instant, chance: Double) {
        guard permit.epoch == epoch else { return }
        switch (state, result) {
        case (.closed, .success): state = .closed(failures: 0)
        case (.closed(let failures), .failure) where failures + 1 < configuration.failureThreshold:
            state = .closed(failures: failures + 1)
        case (.closed, .failure): open(for: configuration.coolDown, at: now, chance: chance)
        case (.halfOpen, .success): enter(.closed(failures: 0))
        case (.halfOpen(let coolDown), .failure):
            open(for: min(coolDown * 2, configuration.maximumCoolDown), at: now, chance: chance)
        // A probe without a result gives its place to the next request.
        case (.halfOpen(let coolDown), .neither): enter(.open(until: now, coolDown: coolDown))
        case (.closed, .neither), (.open, _): break
        }
    }

    private mutating func open(for coolDown: Duration, at now: Instant, chance: Double) {
        let share = configuration.jitter * min(max(chance, 0), 1)
        enter(.open(until: now.advanced(by: coolDown + coolDown * share), coolDown: coolDown))
    }

    private mutating func enter(_ state: State) {
        self.state = state
        epoch += 1
    }
}
