import CPostgres
import Glibc
import Logging
import Synchronization

/// The listener's thread.
@safe final class ListenerLoop: Sendable {
    private struct State {
        var hasStarted = false
        var hasEnded = false
        var isStopping = false
        var isConnected = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// A healthy server takes some milliseconds; libpq gives up after one to two seconds per host.
    private static let connectPatience = Duration.milliseconds(900)

    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let logger: Logger
    private let events: AsyncStream<NotificationListener.Event>.Continuation
    private let onHang: @Sendable (Duration) -> Void
    private let state = Mutex(State())
    /// A write to it wakes the thread, which waits for it and for the server.
    private let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    init(
        configuration: PostgresConfiguration, channels: [String], logger: Logger,
        events: AsyncStream<NotificationListener.Event>.Continuation, onHang: @escaping @Sendable (Duration) -> Void
    ) {
        self.onHang = onHang
        self.configuration = configuration
        self.channels = channels
        self.logger = logger
        self.events = events
    }

    deinit {
        close(wakeUp)
    }

    var isConnected: Bool { state.withLock { $0.isConnected } }
    private var isStopping: Bool { state.withLock { $0.isStopping } }

    func start() {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted && !state.isStopping
        }
        guard isFirst, !DedicatedThread.start(name: "pg-listener", { self.run() }) else { return }
        logger.critical("no thread for listening to the database")
        end()
    }

    func requestStop() {
        state.withLock { $0.isStopping = true }
        eventfd_write(wakeUp, 1)
    }

    func shutdown() async {
        requestStop()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.hasEnded || !state.hasStarted { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        events.finish()
    }

    private func run() {
        var failures = 0
        var isKnownDown = false
        /// The last answer of a server that stopped responding.
        var silentSince: ContinuousClock.Instant?
        while !isStopping {
            do {
                let connection = try connect(silentSince)
                failures = 0
                isKnownDown = false
                tell(.connected, isConnected: true)
                silentSince = listen(on: connection)
            } catch {
                silentSince = nil
                failures += 1
                if failures % 16 == 1 {
                    logger.warning("can't listen to the database", metadata: ["reason": "\(error.message)"])
                }
            }
            if !isKnownDown { tell(.disconnected, isConnected: false) }
            isKnownDown = true
            if !isStopping { pause(Backoff.delay(afterFailures: failures, chance: .random(in: 0..<1))) }
        }
        end()
    }

    /// Connects.
    ///
    /// Reports a hanging server: it stopped responding, and a new connection timed out too.
    private func connect(_ silentSince: ContinuousClock.Instant?) throws(ConnectFailure) -> ListenerConnection {
        let start = ContinuousClock.now
        defer {
            if let silentSince, .now - start > Self.connectPatience { onHang(.now - silentSince) }
        }
        return try ListenerConnection(configuration, channels: channels)
    }

    /// - Returns: the time of the last answer of a server that stopped responding; nil if the connection ended otherwise.
    private func listen(on connection: ListenerConnection) -> ContinuousClock.Instant? {
        var heardAt: ContinuousClock.Instant?
        while !isStopping {
            guard connection.wait(alsoFor: wakeUp), let news = connection.takeNotifications() else { break }
            for (channel, payload) in news { tell(.notification(channel: channel, payload: payload)) }
            if let heard = connection.heardAt, heard != heardAt {
                heardAt = heard
                tell(.alive(since: heard))
            }
        }
        return connection.fellSilent ? heardAt ?? .now : nil
    }

    private func pause(_ time: Duration) {
        var entry = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, Int32(time.millisecondsAtLeastOne))
    }

    private func tell(_ event: NotificationListener.Event, isConnected: Bool? = nil) {
        if let isConnected { state.withLock { $0.isConnected = isConnected } }
        guard case .dropped = events.yield(event) else { return }
        guard isConnected == nil else { return }
        events.yield(.disconnected)
        events.yield(.connected)
    }

    private func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            state.isConnected = false
            defer { state.waiters = [] }
            return state.waiters
        }
        events.finish()
        for waiter in waiters { waiter.resume() }
    }
}
