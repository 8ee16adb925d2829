import Cryptography
import JSON

/// Decides, for one issuer, which key may check a token and when the key set is read again.
///
/// It is pure.
///
/// - A known key is answered at once from a set that is fresh, or stale for less than 24 hours.
/// - An unknown key id forces at most one fetch in 60 seconds, shared by all callers.
/// - A key counts as unknown only after a fetch that began later than the lookup. While the cool-down prevents that
///   fetch, the answer is "unavailable": the provider may have changed its keys without notice.
/// - A good set replaces its predecessor: a dropped key is invalid at once.
struct KeySetMachine: Sendable {
    enum Answer {
        case key(JWK)
        /// A set that was fetched for this id has no such key, or has it for other algorithms only.
        case unknown
        /// A fetch is in progress; look again when it has ended.
        case wait
        case unavailable(retryAfter: Int)
    }

    struct Step {
        let answer: Answer
        /// Whether the caller must start a fetch.
        ///
        /// The caller reports its end with ``fetched(_:life:at:jitter:)`` or ``fetchFailed(at:jitter:)``.
        let startsFetch: Bool
    }

    private(set) var set: JWKSet?
    private(set) var schedule = RefreshSchedule()
    /// The id and the start of the last forced fetch, and whether its set arrived without the id.
    ///
    /// `nil` if it brought the id.
    private var forced: (id: String, at: ContinuousClock.Instant, isMissing: Bool)?

    /// Looks up a key by its id and the token's algorithm; never by trying every key.
    mutating func look(
        for id: String, algorithm: SignatureAlgorithm, at now: ContinuousClock.Instant
    ) -> Step {
        guard let set, schedule.isUsable(at: now) else { return askWithoutSet(id, at: now) }
        if let key = set.key(id: id, algorithm: algorithm) {
            return Step(answer: .key(key), startsFetch: beginIfDue(at: now))
        }
        // Another algorithm for a known id is an attack rather than a new key.
        if set.contains(id: id) { return Step(answer: .unknown, startsFetch: beginIfDue(at: now)) }
        return lookForUnknown(id, at: now)
    }

    /// Starts a fetch when most of the set's life is over, or when there is none.
    mutating func beginIfDue(at now: ContinuousClock.Instant) -> Bool {
        guard schedule.isDue(at: now), schedule.mayAsk(at: now) else { return false }
        schedule.began()
        return true
    }

    mutating func fetched(_ set: JWKSet, life: Int?, at now: ContinuousClock.Instant, jitter: Double) {
        self.set = set
        if let id = forced?.id {
            if set.contains(id: id) { forced = nil } else { forced?.isMissing = true }
        }
        schedule.succeeded(at: now, life: life, jitter: jitter)
    }

    mutating func fetchFailed(at now: ContinuousClock.Instant, jitter: Double) {
        schedule.failed(at: now, jitter: jitter)
    }

    private mutating func askWithoutSet(_ id: String, at now: ContinuousClock.Instant) -> Step {
        if schedule.isFetching { return Step(answer: .wait, startsFetch: false) }
        return begin(for: id, at: now)
    }

    private mutating func lookForUnknown(_ id: String, at now: ContinuousClock.Instant) -> Step {
        let coolDown = forced.map { $0.at + RefreshSchedule.coolDown }.flatMap { $0 > now ? $0 : nil }
        if coolDown != nil, let forced, forced.isMissing, forced.id.hasSameBytes(as: id) {
            return Step(answer: .unknown, startsFetch: beginIfDue(at: now))
        }
        if schedule.isFetching { return Step(answer: .wait, startsFetch: false) }
        if let coolDown { return unavailable(at: now, until: coolDown) }
        return begin(for: id, at: now)
    }

    private mutating func begin(for id: String, at now: ContinuousClock.Instant) -> Step {
        guard schedule.mayAsk(at: now) else { return unavailable(at: now) }
        schedule.began()
        forced = (id, now, false)
        return Step(answer: .wait, startsFetch: true)
    }

    private func unavailable(at now: ContinuousClock.Instant, until coolDown: ContinuousClock.Instant? = nil) -> Step {
        Step(answer: .unavailable(retryAfter: schedule.retryAfter(at: now, coolDown: coolDown)), startsFetch: false)
    }
}
