package import Logging
import ServiceLifecycle

/// Listens for `NOTIFY` on its own connection, and reconnects automatically.
///
/// Notifications sent without a connection are lost, so caches must reload at every ``Event/connected``.
package final class NotificationListener: Sendable, Service {
    package enum Event: Sendable, Equatable {
        /// Listening; sent after every connect, including the first.
        case connected
        /// Everything that the server sent before that time has been delivered; sent about three times a second.
        case alive(since: ContinuousClock.Instant)
        /// Not listening; sent once per outage.
        case disconnected
        case notification(channel: String, payload: String)
    }

    /// For a single reader.
    ///
    /// If the reader falls more than 1,024 events behind, old ones are dropped and `disconnected` and `connected`
    /// follow, so that it reloads.
    package let events: AsyncStream<Event>
    private let loop: ListenerLoop

    /// - Parameter onHang: called with the duration of a silence when a new connection took too long as well.
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

    /// Starts listening; repeated calls have no effect.
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
