package import Logging
import ServiceLifecycle

/// Listens for `NOTIFY` on a connection of its own, and comes back by itself when the database was gone.
///
/// Notifications sent while the connection is down are lost; so whoever keeps a copy of something reads it again at every
/// ``Event/connected``.
package final class NotificationListener: Sendable, Service {
    package enum Event: Sendable, Equatable {
        /// Listening; sent after every connect, also after the first.
        case connected
        /// Everything that the server said before that moment has been given; comes about three times a second.
        case alive(since: ContinuousClock.Instant)
        /// Not listening any more, or not yet; sent once for each outage.
        case disconnected
        case notification(channel: String, payload: String)
    }

    /// For one reader.
    ///
    /// When the reader falls more than 1,024 events behind, old ones are dropped and `disconnected` and `connected`
    /// follow, so that it reads again what it may have missed.
    package let events: AsyncStream<Event>
    private let loop: ListenerLoop

    /// - Parameter onHang: called with the length of a silence of the server, when a new connection took too long as well.
    package init(
        configuration: PostgresConfiguration, channels: [String], logger: Logger,
        onHang: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1024))
        self.events = events
        loop = ListenerLoop(
            configuration: configuration, channels: channels, logger: logger, events: continuation, onHang: onHang)
    }

    deinit {
        loop.requestStop()
    }

    /// Starts listening; more than once is the same as once.
    package func start() {
        loop.start()
    }

    /// Listens until the service group shuts down.
    package func run() async throws {
        start()
        try? await gracefulShutdown()
        await shutdown()
    }

    /// Stops, ends ``events``, and returns when the connection is closed.
    package func shutdown() async {
        await loop.shutdown()
    }

    package var isConnected: Bool { loop.isConnected }
}
