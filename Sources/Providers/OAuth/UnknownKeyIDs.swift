/// Key ids lately looked for in vain, so that junk tokens don't become traffic.
///
/// Bounded: at most 1,000 ids.
///
/// Two halves stand in for a least-recently-used list: when the young half is full the old one is dropped. An id
/// that is asked for again moves to the young half, so the busiest ids stay.
struct UnknownKeyIDs: Sendable {
    static let life = Duration.seconds(60)
    static let capacity = 1_000

    private var young: [String: ContinuousClock.Instant] = [:]
    private var old: [String: ContinuousClock.Instant] = [:]

    var count: Int { young.count + old.count }

    mutating func insert(_ id: String, at now: ContinuousClock.Instant) {
        keep(id, until: now + Self.life)
    }

    mutating func contains(_ id: String, at now: ContinuousClock.Instant) -> Bool {
        if let until = young[id] { return now < until }
        guard let until = old.removeValue(forKey: id), now < until else { return false }
        keep(id, until: until)
        return true
    }

    mutating func removeAll() {
        young.removeAll(keepingCapacity: true)
        old.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ id: String, until: ContinuousClock.Instant) {
        if young.count >= Self.capacity / 2, young[id] == nil {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        }
        young[id] = until
    }
}
