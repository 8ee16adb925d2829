import Outbound
import Synchronization

/// Keeps the calls of this server below Microsoft's limit for one address at one tenant.
///
/// Page: "Service limits and restrictions" of external tenants.
package final class MicrosoftPacer: Sendable {
    /// Four requests at once and 15 a second, which make 19 in the worst second.
    ///
    /// Microsoft allows twenty requests per second, including documents and the web's token calls.
    package static let usual = RequestPace(perSecond: 15, burst: 4)
    /// The longest wait of a call, because users wait for it.
    private static let patience = Duration.seconds(1)

    private let pace: Mutex<RequestPace>
    private let upstream: Upstream
    private let pause: @Sendable (Duration) async throws -> Void

    init(
        _ pace: RequestPace, upstream: Upstream, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.pace = Mutex(pace)
        (self.upstream, self.pause) = (upstream, pause)
    }

    /// Waits for its turn.
    ///
    /// - Throws: `unavailable` where that would take too long.
    func wait(by deadline: Upstream.Deadline) async throws(ProviderError) {
        let now = upstream.now()
        switch pace.withLock({ $0.turn(at: now, by: min(now + Self.patience, deadline.instant)) }) {
        case .at(let turn) where turn <= now: return
        case .at(let turn):
            do { try await pause(now.duration(to: turn)) } catch { throw upstream.failure("cancelled") }
        case .refused(let wait):
            throw upstream.failure("outbound_overloaded", retryAfter: max(1, wait.secondsRoundedUp))
        }
    }

    func hold(seconds: Int) {
        let until = upstream.now() + .seconds(seconds)
        pace.withLock { $0.hold(until: until) }
    }
}
