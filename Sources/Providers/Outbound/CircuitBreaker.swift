/// Leaves a provider alone that failed several times in a row, and tries it again with one request at a time.
///
/// A pure machine: time and chance are passed in. Closed until ``Configuration/failureThreshold`` consecutive failures; then
/// open for a cool-down; then half-open, where one request is let through as a probe. A probe that succeeds closes the
/// circuit, one that fails opens it for twice as long, up to a limit.
package struct CircuitBreaker: Sendable {
    package struct Configuration: Sendable {
        package var failureThreshold: Int
        package var coolDown: Duration
        package var maximumCoolDown: Duration
        /// The share of a cool-down that chance may add, so that several servers don't probe in step.
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
        /// A probe is under way.
        case halfOpen(coolDown: Duration)
    }

    /// Allows one request.
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
        /// The request says nothing about the provider: cancelled, or refused on our side.
        case neither
    }

    package private(set) var state = State.closed(failures: 0)
    private let configuration: Configuration
    private var epoch = 0

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Asks to send a request now.
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
    /// Not when a cool-down is over, though the circuit is open: the next request is the probe.
    package func refuses(at now: Instant) -> Bool {
        switch state {
        case .closed: false
        case .open(let until, _): now < until
        case .halfOpen: true
        }
    }

    /// Reports what came of an admitted request.
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
        // A probe that told nothing gives its place to the next request.
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
