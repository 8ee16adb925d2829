import Glibc

/// A second descriptor of a connection's socket, for whoever breaks the connection off from another thread.
///
/// libpq closes its own when reading or writing fails, and its number may be a stranger's by then; this one stays the
/// connection's. While it is open, a ``SocketSet`` still knows the socket: it must not outlive the connection's slot.
final class SecondSocket: Sendable {
    private let descriptor: Int32

    /// Nil where the system has no descriptor to give.
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
