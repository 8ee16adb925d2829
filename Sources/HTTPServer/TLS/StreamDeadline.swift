import NIOCore
import Synchronization

/// Closes an HTTP/2 stream after a time without progress.
final class StreamDeadline: Sendable {
    private let stream: any Channel
    private let patience: TimeAmount
    private let scheduled: Mutex<Scheduled<Void>>

    /// - Parameters:
    ///   - stream: the stream to close.
    ///   - patience: the time limit from here, or from the last ``renew()``.
    init(_ stream: any Channel, patience: TimeAmount) {
        (self.stream, self.patience) = (stream, patience)
        scheduled = Mutex(Self.schedule(stream, patience))
        stream.closeFuture.whenComplete { [self] _ in scheduled.withLock { $0.cancel() } }
    }

    /// Restarts the time limit after progress.
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
