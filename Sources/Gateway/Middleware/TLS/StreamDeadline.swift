import NIOCore
import Synchronization

/// Closes a stream of HTTP/2 after a time in which nothing of it went on.
final class StreamDeadline: Sendable {
    private let stream: any Channel
    private let patience: TimeAmount
    private let scheduled: Mutex<Scheduled<Void>>

    /// - Parameters:
    ///   - stream: what is closed.
    ///   - patience: how long it may take from here, or from the last ``renew()``.
    init(_ stream: any Channel, patience: TimeAmount) {
        (self.stream, self.patience) = (stream, patience)
        scheduled = Mutex(Self.schedule(stream, patience))
        stream.closeFuture.whenComplete { [self] _ in scheduled.withLock { $0.cancel() } }
    }

    /// Something went on: the time begins again.
    func renew() {
        scheduled.withLock { scheduled in
            scheduled.cancel()
            scheduled = Self.schedule(stream, patience)
        }
    }

    private static func schedule(_ stream: any Channel, _ patience: TimeAmount) -> Scheduled<Void> {
        stream.eventLoop.scheduleTask(in: patience) { stream.close(promise: nil) }
    }
}
