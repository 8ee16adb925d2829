import Synchronization

/// Bounds how many requests are being answered at once; one more is told to come back (503 `overloaded`).
///
/// Queues behind it have bounds of their own. This one keeps memory flat when all of them are slow.
final class LoadShedding: Sendable {
    private let inFlight = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Requests being answered now.
    var count: Int { inFlight.load(ordering: .relaxed) }

    /// Takes a place; whoever got one must ``leave()``.
    func enter() -> Bool {
        if inFlight.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        leave()
        return false
    }

    func leave() {
        inFlight.wrappingSubtract(1, ordering: .relaxed)
    }
}
