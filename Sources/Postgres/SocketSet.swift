import CPostgres
import Glibc

/// The sockets of a pool's connections, for the thread that waits for all of them.
///
/// Each arrival is reported once (`EPOLLET`), so the reader has to take all available data.
final class SocketSet: Sendable {
    struct Arrival {
        let worker: Int
        /// The server has closed its side.
        let hasHungUp: Bool
    }

    private static let bellNumber = UInt64.max
    private static let room = 64
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    /// A write to it ends ``wait()``.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init() {
        _ = gateway_watch(descriptor, bell, Self.bellNumber)
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    /// False if the system refused the descriptors.
    var isUsable: Bool { descriptor >= 0 && bell >= 0 }

    /// Adds a worker's socket; closing it removes it.
    ///
    /// - Returns: false if the system refuses.
    func add(_ socket: Int32, of worker: Int) -> Bool {
        gateway_watch(descriptor, socket, UInt64(worker)) == 0
    }

    /// Ends ``wait()``.
    func ring() {
        eventfd_write(bell, 1)
    }

    /// Waits for data or for ``ring()``.
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
