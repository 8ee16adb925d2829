import Outbound
import Testing

struct CircuitBreakerTests {
    let start = ContinuousClock.now

    func breaker(threshold: Int = 3, jitter: Double = 0) -> CircuitBreaker {
        CircuitBreaker(
            configuration: .init(
                failureThreshold: threshold, coolDown: .seconds(2), maximumCoolDown: .seconds(7), jitter: jitter))
    }

    /// Requests a permit at `seconds` and requires one.
    func permit(_ breaker: inout CircuitBreaker, at seconds: Double) throws -> CircuitBreaker.Permit {
        guard case .admitted(let permit) = breaker.admit(at: start + .seconds(seconds)) else {
            throw Refused()
        }
        return permit
    }

    struct Refused: Error {}

    func report(
        _ result: CircuitBreaker.Result, _ breaker: inout CircuitBreaker, at seconds: Double, chance: Double = 0
    ) throws {
        let permit = try permit(&breaker, at: seconds)
        breaker.record(result, for: permit, at: start + .seconds(seconds), chance: chance)
    }

    func wait(_ breaker: inout CircuitBreaker, at seconds: Double) -> Duration? {
        guard case .refused(let wait) = breaker.admit(at: start + .seconds(seconds)) else { return nil }
        return wait
    }

    @Test("consecutive failures open the circuit, which states the waiting time")
    func opens() throws {
        var breaker = breaker()
        for _ in 0..<3 { try report(.failure, &breaker, at: 10) }
        #expect(breaker.state == .open(until: start + .seconds(12), coolDown: .seconds(2)))
        #expect(wait(&breaker, at: 10) == .seconds(2))
        #expect(wait(&breaker, at: 11.5) == .seconds(0.5))
    }

    @Test("an open circuit reports a refusal during its cool-down and its probe, not when a probe is due")
    func refuses() throws {
        var breaker = breaker()
        #expect(!breaker.refuses(at: start))
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        #expect(breaker.refuses(at: start + .seconds(1)))
        #expect(!breaker.refuses(at: start + .seconds(2)))
        let probe = try permit(&breaker, at: 2)
        #expect(breaker.refuses(at: start + .seconds(3)))
        breaker.record(.success, for: probe, at: start + .seconds(3), chance: 0)
        #expect(!breaker.refuses(at: start + .seconds(3)))
    }

    @Test("a success resets the count; a neutral result changes nothing")
    func count() throws {
        var breaker = breaker()
        for result in [.failure, .failure, .success, .failure, .neither, .failure] as [CircuitBreaker.Result] {
            try report(result, &breaker, at: 0)
        }
        #expect(breaker.state == .closed(failures: 2))
    }

    @Test("after the cool-down, exactly one probe passes")
    func oneProbe() throws {
        var breaker = breaker()
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        _ = try permit(&breaker, at: 2)
        #expect(breaker.state == .halfOpen(coolDown: .seconds(2)))
        #expect(wait(&breaker, at: 2) == .seconds(2))
        #expect(wait(&breaker, at: 100) == .seconds(2))
    }

    @Test("a successful probe closes the circuit and resets the count")
    func recovery() throws {
        var breaker = breaker()
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        try report(.success, &breaker, at: 2)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test("each failed probe doubles the cool-down up to the limit; recovery resets it")
    func backOff() throws {
        var breaker = breaker()
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        try report(.failure, &breaker, at: 2)
        #expect(breaker.state == .open(until: start + .seconds(6), coolDown: .seconds(4)))
        try report(.failure, &breaker, at: 6)
        #expect(breaker.state == .open(until: start + .seconds(13), coolDown: .seconds(7)))
        try report(.failure, &breaker, at: 13)
        #expect(breaker.state == .open(until: start + .seconds(20), coolDown: .seconds(7)))
        try report(.success, &breaker, at: 20)
        for _ in 0..<3 { try report(.failure, &breaker, at: 30) }
        #expect(breaker.state == .open(until: start + .seconds(32), coolDown: .seconds(2)))
    }

    @Test("after a neutral probe, the next request is the probe")
    func abandonedProbe() throws {
        var breaker = breaker()
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        try report(.neither, &breaker, at: 2)
        try report(.success, &breaker, at: 2)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test("results of requests from before the opening do not count afterwards")
    func lateResults() throws {
        var breaker = breaker()
        let early = try [permit(&breaker, at: 0), permit(&breaker, at: 0), permit(&breaker, at: 0)]
        for _ in 0..<3 { try report(.failure, &breaker, at: 0) }
        let opened = breaker.state
        breaker.record(.failure, for: early[0], at: start + .seconds(1), chance: 0)
        #expect(breaker.state == opened)
        let probe = try permit(&breaker, at: 2)
        breaker.record(.success, for: early[1], at: start + .seconds(2), chance: 0)
        breaker.record(.failure, for: early[2], at: start + .seconds(2), chance: 0)
        #expect(breaker.state == .halfOpen(coolDown: .seconds(2)))
        breaker.record(.success, for: probe, at: start + .seconds(3), chance: 0)
        breaker.record(.failure, for: probe, at: start + .seconds(3), chance: 0)
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test(
        "jitter lengthens a cool-down by at most its share",
        arguments: [(0.0, 2.0), (0.5, 2.5), (1.0, 3.0), (7.0, 3.0)])
    func jitter(chance: Double, seconds: Double) throws {
        var breaker = breaker(threshold: 1, jitter: 0.5)
        try report(.failure, &breaker, at: 0, chance: chance)
        #expect(wait(&breaker, at: 0) == .seconds(seconds))
    }
}
