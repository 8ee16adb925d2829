package import Logging
import ServiceLifecycle

/// Receives `NOTIFY` messages on its own connection, and reconnects after an outage.
///
/// Notifications during an outage are lost, so every cache has to be reloaded after ``Event/connected``.
package final class NotificationListener: Sendable, Service {
    package enum Event: Sendable, Equatable {
        /// Listening; sent after every connect, including the first.
        case connected
        /// Every notification from before this time was delivered; sent about three times a second.
        case alive(since: ContinuousClock.Instant)
        /// The connection is down; sent once per outage.
        case disconnected
        case notification(channel: String, payload: String)
    }

    /// The events, for one reader.
    ///
    /// If the reader is more than 1,024 events behind, old ones are dropped. `disconnected` and `connected` follow, so that
    /// it reloads its caches.
    package let events: AsyncStream<Event>
    private let loop: ListenerLoop

    /// - Parameter onHang: called with the time since the last answer, if a new connection timed out too.
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

    /// Starts to listen.
    ///
    /// Further calls do nothing.
    package func start() {
        loop.start()
    }

    /// Listens until the service group shuts down.
    package func run() async throws {
        start()
        try? await gracefulShutdown()
        await shutdown()
    }

    /// Stops, ends ``events``, and returns after the connection is closed.
    package func shutdown() async {
        await loop.shutdown()
    }

    package var isConnected: Bool { loop.isConnected }
}
