/// When a fetched document is fresh, due for another look, stale, or not to be asked for again yet.
///
/// Pure: time and jitter come from outside. Wall-clock jumps can't reach it, since it counts on the monotonic clock.
struct RefreshSchedule: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How long a document outlives its last good fetch while its source is down.
    static let staleLife = Duration.seconds(24 * 60 * 60)
    /// The least time between two fetches that an unknown key id may force.
    static let coolDown = Duration.seconds(60)
    /// What a document's own word on its life is held to, in seconds.
    static let lifeBounds = 600...86_400
    /// The life of a document that says nothing readable about it, in seconds.
    static let defaultLife = 3_600

    private(set) var arrivedAt: Instant?
    private(set) var isFetching = false
    private var dueAt: Instant?
    private var retryAt: Instant?
    private var failures = 0

    /// Whether what arrived last may still be used, fresh or stale.
    func isUsable(at now: Instant) -> Bool {
        arrivedAt.map { now < $0 + Self.staleLife } ?? false
    }

    /// Whether four fifths of the document's life are over.
    func isDue(at now: Instant) -> Bool {
        dueAt.map { now >= $0 } ?? true
    }

    /// Whether the source may be asked: nobody is asking, and no back-off runs.
    func mayAsk(at now: Instant) -> Bool {
        !isFetching && (retryAt.map { now >= $0 } ?? true)
    }

    /// Whole seconds until asking again makes sense, at least one.
    ///
    /// - Parameter coolDown: until when nothing is fetched for unknown key ids.
    func retryAfter(at now: Instant, coolDown: Instant? = nil) -> Int {
        let next = [retryAt, coolDown].compactMap { $0 }.max() ?? now
        return max(1, Int((next - now).components.seconds) + 1)
    }

    mutating func began() {
        isFetching = true
    }

    /// - Parameters:
    ///   - life: how long the document is fresh, in seconds; held to ``lifeBounds``.
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

    /// Takes note of an answer that is not to be used in place of the last good one, which goes on being good.
    ///
    /// The source is there: its silence is what ``staleLife`` is about. It is asked again soon, as after a failure.
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
