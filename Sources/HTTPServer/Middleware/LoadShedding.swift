import Synchronization

/// Limits the number of concurrent requests; one more is refused with 503 `overloaded`.
///
/// The queues behind it have their own limits. This one bounds memory when all of them are slow.
final class LoadShedding: Sendable {
    private let inFlight = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of current requests.
    var count: Int { inFlight.load(ordering: .relaxed) }

    /// Counts a request; false above the limit.
    ///
    /// After true, the caller must call ``leave()``.
    func enter() -> Bool {
        if inFlight.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() {
        inFlight.wrappingSubtract(1, ordering: .relaxed)
    }
}
