import Cryptography

/// Decides, for one issuer, which key a token may be checked with and when the key set is read again.
///
/// Pure.
///
/// - A known key is answered at once from a set that is fresh, or stale for less than 24 hours.
/// - An unknown key id forces at most one fetch in 60 seconds, shared by everybody who waits.
/// - A good set replaces the one before it: a key that was dropped is dead at once.
struct KeySetMachine: Sendable {
    enum Answer {
        case key(JWK)
        /// The issuer's current set has no such key.
        case unknown
        /// A fetch is under way; look again when it has ended.
        case wait
        case unavailable(retryAfter: Int)
    }

    struct Step {
        let answer: Answer
        /// True when the caller must start a fetch, and report its end by ``fetched(_:life:at:jitter:)`` or
        /// ``fetchFailed(at:jitter:)``.
        let startsFetch: Bool
    }

    private(set) var set: JWKSet?
    private(set) var schedule = RefreshSchedule()
    private var unknownIDs = UnknownKeyIDs()

    /// Looks a key up by its id and the algorithm the token names; never by trying every key.
    mutating func look(
        for id: String, algorithm: SignatureAlgorithm, at now: ContinuousClock.Instant
    ) -> Step {
        guard let set, schedule.isUsable(at: now) else { return askWithoutSet(at: now) }
        if let key = set.key(id: id, algorithm: algorithm) {
            return Step(answer: .key(key), startsFetch: beginIfDue(at: now))
        }
        return lookForUnknown(id, at: now)
    }

    /// Starts a fetch when the set's life is mostly over, or when there is none.
    mutating func beginIfDue(at now: ContinuousClock.Instant) -> Bool {
        guard schedule.isDue(at: now), schedule.mayAsk(at: now) else { return false }
        schedule.began(at: now)
        return true
    }

    mutating func fetched(_ set: JWKSet, life: Int?, at now: ContinuousClock.Instant, jitter: Double) {
        self.set = set
        unknownIDs.removeAll()
        schedule.succeeded(at: now, life: life, jitter: jitter)
    }

    mutating func fetchFailed(at now: ContinuousClock.Instant, jitter: Double) {
        schedule.failed(at: now, jitter: jitter)
    }

    private mutating func askWithoutSet(at now: ContinuousClock.Instant) -> Step {
        if schedule.isFetching { return Step(answer: .wait, startsFetch: false) }
        return begin(at: now)
    }

    private mutating func lookForUnknown(_ id: String, at now: ContinuousClock.Instant) -> Step {
        if unknownIDs.contains(id, at: now) { return Step(answer: .unknown, startsFetch: beginIfDue(at: now)) }
        if schedule.isFetching { return Step(answer: .wait, startsFetch: false) }
        guard schedule.isCoolingDown(at: now) else { return begin(at: now) }
        if schedule.lastAttemptFailed { return unavailable(at: now, forced: true) }
        unknownIDs.insert(id, at: now)
        return Step(answer: .unknown, startsFetch: false)
    }

    private mutating func begin(at now: ContinuousClock.Instant) -> Step {
        guard schedule.mayAsk(at: now) else { return unavailable(at: now) }
        schedule.began(at: now)
        return Step(answer: .wait, startsFetch: true)
    }

    private func unavailable(at now: ContinuousClock.Instant, forced: Bool = false) -> Step {
        Step(answer: .unavailable(retryAfter: schedule.retryAfter(at: now, forced: forced)), startsFetch: false)
    }
}
