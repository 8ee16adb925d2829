import Glibc

/// A second descriptor of a connection's socket, to shut it down from another thread.
///
/// libpq closes its own after a failed read or write, and the number may be reused; this one stays the connection's.
/// While it is open, a ``SocketSet`` still contains the socket: it must not outlive the connection's slot.
final class SecondSocket: Sendable {
    private let descriptor: Int32

    /// Nil if the system has no free descriptor.
    init?(of socket: Int32) {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    func breakOff() {
        SocketWatch.breakOff(descriptor)
    }
}
