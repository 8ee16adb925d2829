import CPostgres
import Glibc
import Synchronization

/// Wakes a worker, whether it waits for the monitor alone or for its connection too.
final class Alarm: Sendable {
    private let condition = Monitor.Condition()
    /// Written to wake a thread that waits in the kernel for its socket.
    private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let isListening = Atomic(false)

    deinit {
        close(descriptor)
    }

    /// Wakes the worker out of the wait that it was in when the monitor was last held.
    func signal() {
        if isListening.load(ordering: .acquiring) {
            eventfd_write(descriptor, 1)
        } else {
            condition.signal()
        }
    }

    /// Gives the monitor up while it waits; may return early, so look again.
    func wait(_ monitor: Monitor, until time: MonotonicTime) {
        condition.wait(monitor, until: time)
    }

    /// The same until the server says something, too, or hangs up.
    ///
    /// - Returns: whether it has.
    func wait(_ monitor: Monitor, orFor socket: Int32) -> Bool {
        // Told with the monitor held, so that whoever has news for this worker afterwards finds it listening.
        isListening.store(true, ordering: .releasing)
        monitor.unlock()
        let event = Self.event(socket, descriptor)
        monitor.lock()
        isListening.store(false, ordering: .releasing)
        if event.isRung {
            var count: eventfd_t = 0
            unsafe eventfd_read(descriptor, &count)
        }
        return event.hasSpoken
    }

    private static func event(_ socket: Int32, _ descriptor: Int32) -> (hasSpoken: Bool, isRung: Bool) {
        var entries = [socket, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&entries, 2, -1)
        return (entries[0].revents != 0, entries[1].revents != 0)
    }
}
