import FoundationEssentials
import Synchronization

/// A monotonic clock under a test's control, and the wall time of all tests here.
final class TestClock: Sendable {
    /// 2027-01-15T08:00:00Z.
    static let seconds = 1_800_000_000
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) {
        instant.withLock { $0 += duration }
    }
}
