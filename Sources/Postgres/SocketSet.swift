import CPostgres
import Glibc

/// The sockets of a pool's connections, for the one thread that waits for all of them.
///
/// Each arrival is reported once (`EPOLLET`), so the reader must read everything that is available.
final class SocketSet: Sendable {
    struct Arrival {
        let worker: Int
        /// The server closed the stream.
        let hasHungUp: Bool
    }

    private static let bellNumber = UInt64.max
    private static let room = 64
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    /// Written to wake the waiting thread.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init() {
        _ = gateway_watch(descriptor, bell, Self.bellNumber)
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    /// False if the system had no free descriptors.
    var isUsable: Bool { descriptor >= 0 && bell >= 0 }

    /// Adds a worker's socket, which leaves the set when it is closed.
    ///
    /// - Returns: false if the system has no room for it.
    func add(_ socket: Int32, of worker: Int) -> Bool {
        gateway_watch(descriptor, socket, UInt64(worker)) == 0
    }

    /// Makes ``wait()`` return.
    func ring() {
        eventfd_write(bell, 1)
    }

    /// Waits for data, or a ring.
    func wait() -> (arrivals: [Arrival], isRung: Bool) {
        unsafe withUnsafeTemporaryAllocation(of: gateway_arrival.self, capacity: Self.room) { buffer in
            let count = unsafe Int(gateway_await(descriptor, buffer.baseAddress, Int32(Self.room)))
            var (arrivals, isRung): ([Arrival], Bool) = ([], false)
            for index in 0..<max(count, 0) {
                let arrival = unsafe buffer[index]
                if arrival.number == Self.bellNumber {
                    var rings: eventfd_t = 0
                    unsafe eventfd_read(bell, &rings)
                    isRung = true
                } else {
                    arrivals.append(Arrival(worker: Int(arrival.number), hasHungUp: arrival.has_hung_up != 0))
                }
            }
            return (arrivals, isRung)
        }
    }
}
