/// The state of a fetched document: fresh, due for a refresh, stale, or in back-off.
///
/// It is pure: time and jitter come from outside. It uses the monotonic clock, so wall-clock jumps have no effect.
struct RefreshSchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The time for which a document outlives its last good fetch while its source is down.
    static let staleLife = Duration.seconds(24 * 60 * 60)
    /// The shortest time between two fetches that an unknown key id may force.
    static let coolDown = Duration.seconds(60)
    /// The limits of a document's stated life, in seconds.
    static let lifeBounds = 600...86_400
    /// The life in seconds of a document without a readable one.
    static let defaultLife = 3_600

    private(set) var arrivedAt: Instant?
    private(set) var isFetching = false
    private var dueAt: Instant?
    private var retryAt: Instant?
    private var failures = 0

    /// Whether the last document may still be used, fresh or stale.
    func isUsable(at now: Instant) -> Bool {
        arrivedAt.map { now < $0 + Self.staleLife } ?? false
    }

    /// Whether four fifths of the document's life are over.
    func isDue(at now: Instant) -> Bool {
        dueAt.map { now >= $0 } ?? true
    }

    /// Whether the source may be asked: no fetch is in progress, and no back-off runs.
    func mayAsk(at now: Instant) -> Bool {
        !isFetching && (retryAt.map { now >= $0 } ?? true)
    }

    /// Whole seconds until another request makes sense, at least one.
    ///
    /// - Parameter coolDown: the end of the pause for unknown key ids.
    func retryAfter(at now: Instant, coolDown: Instant? = nil) -> Int {
        let next = [retryAt, coolDown].compactMap { $0 }.max() ?? now
        return max(1, Int((next - now).components.seconds) + 1)
    }

    mutating func began() {
        isFetching = true
    }

    /// - Parameters:
    ///   - life: the time for which the document is fresh, in seconds; limited to ``lifeBounds``.
    ///   - jitter: 0 ..< 1, spreads the next fetch of many servers over a tenth of the life.
    mutating func succeeded(at now: Instant, life: Int?, jitter: Double) {
        let seconds = min(max(life ?? Self.defaultLife, Self.lifeBounds.lowerBound), Self.lifeBounds.upperBound)
        isFetching = false
        failures = 0
        retryAt = nil
        arrivedAt = now
        dueAt = now + .milliseconds(Int(Double(seconds) * 1_000 * (0.75 + 0.1 * jitter)))
    }

    /// Backs off from 5 s, doubling up to 5 min, each time up to a quarter longer by jitter.
    mutating func failed(at now: Instant, jitter: Double) {
        isFetching = false
        let base = 5_000 << min(failures, 6)
        failures += 1
        retryAt = now + .milliseconds(min(300_000, Int(Double(base) * (1 + 0.25 * jitter))))
    }

    /// Records an unusable answer; the last good document stays in use.
    ///
    /// The source answers, so ``staleLife`` does not count. It is asked again soon, as after a failure.
    mutating func refused(at now: Instant, jitter: Double) {
        failed(at: now, jitter: jitter)
        arrivedAt = now
    }

    /// The life that `Cache-Control` grants, in seconds; nil when absent, unreadable or `no-store`.
    static func life(cacheControl: String?) -> Int? {
        guard let cacheControl else { return nil }
        var life: Int?
        for directive in cacheControl.lowercased().split(separator: ",") {
            let text = directive.drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("no-store") { return nil }
            guard text.hasPrefix("max-age=") else { continue }
            life = Int(text.dropFirst("max-age=".count).prefix { $0 != " " })
        }
        return life
    }
}
