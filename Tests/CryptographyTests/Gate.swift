import Dispatch
import Synchronization

/// Blocks threads until it is opened, and counts them.
final class Gate: Sendable {
    private let entered = Mutex(0)
    private let isOpen = DispatchSemaphore(value: 0)

    /// Blocks the calling thread.
    func wait() -> [UInt8] {
        entered.withLock { $0 += 1 }
        isOpen.wait()
        isOpen.signal()
        return [1]
    }

    func open() {
        isOpen.signal()
    }

    func waitUntilEntered(_ count: Int) async {
        while entered.withLock({ $0 }) < count { await Task.yield() }
    }
}
