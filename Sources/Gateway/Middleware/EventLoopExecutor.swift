import HummingbirdCore
import Logging
import NIOCore

/// Runs tasks on an event loop, in its order.
///
/// What a connection's task does between two waits is short, and the loop has to be told of its end anyway: on the loop
/// itself neither takes a wake-up of another thread. Whatever blocks has threads of its own.
final class EventLoopExecutor: TaskExecutor {
    /// That of the connection whose task this is, for unstructured tasks, which don't inherit it.
    @TaskLocal static var current: EventLoopExecutor?

    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A kind of connection whose tasks run on the connection's event loop.
struct OnEventLoop<Base: ClosesUnserved>: ServerChildChannel {
    let base: Base
    /// Connections beyond it are closed as soon as they are set up.
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
