import Foundation
import GatewayClient

/// A clock that only a test moves; waiting moves it too.
final class FakeClock: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var time = Date()

    var source: TimeSource {
        TimeSource(
            now: { self.lock.withLock { self.time } },
            wait: { pause in
                try Task.checkCancellation()
                self.advance(TimeInterval(pause.components.seconds))
            })
    }

    func advance(_ seconds: TimeInterval) { lock.withLock { time += seconds } }
}
