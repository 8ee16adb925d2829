import HummingbirdCore
import Logging
import NIOCore

/// Runs the tasks of a connection on its event loop.
///
/// A request then wakes no other thread. The work between two waits is short, and blocking work has its own threads.
/// docs/decisions/0016 has the measured gain.
final class EventLoopExecutor: TaskExecutor {
    /// The executor of the current connection, for unstructured tasks, which do not inherit it.
    @TaskLocal static var current: EventLoopExecutor?

    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Goes to another thread and back, so that the event loop looks at all its connections.
    ///
    /// `Task.yield()` is not enough: an event loop runs all waiting tasks, later ones too, before it looks.
    static func leaveOnce() async {
        await withTaskExecutorPreference(globalConcurrentExecutor) { await elsewhere() }
    }

    @concurrent private static func elsewhere() async {}
}

/// A kind of connection that runs its tasks on its event loop.
struct OnEventLoop<Base: ClosesUnserved>: ServerChildChannel {
    let base: Base
    /// Connections above this limit are closed after set-up.
    var peers: PeerLimit?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection<Base>> {
        let isAdmitted = peers?.admit(channel) ?? true
        return base.setup(channel: channel, logger: logger).map { connection in
            if !isAdmitted { channel.eventLoop.execute { channel.close(promise: nil) } }
            return AcceptedConnection(connection, kind: base)
        }
    }

    func handle(value: AcceptedConnection<Base>, logger: Logger) async {
        let executor = EventLoopExecutor(value.channel.eventLoop)
        await withTaskExecutorPreference(executor) {
            await EventLoopExecutor.$current.withValue(executor) {
                await base.handle(value: value.take(), logger: logger)
            }
        }
    }
}
