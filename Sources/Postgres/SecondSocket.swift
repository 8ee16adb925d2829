import Glibc

/// A second descriptor of a connection's socket, with which another thread can break off the connection.
///
/// libpq closes its own descriptor after an error, and the system may reuse the number for another file. This one stays
/// valid. While it is open, a ``SocketSet`` still reports the socket, so it must not outlive the connection's slot.
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
