import Synchronization

/// The time between the signal to stop and the end of the listeners.
///
/// From its begin on readiness is false, so that balancers send new requests elsewhere, and each answer says that it is the
/// last of its connection. Connections are still accepted and requests answered, because balancers and clients learn of it
/// only after a while.
final class Drain: Sendable {
    /// How long the listeners stay open.
    let duration: Duration
    private let begun = Atomic(false)

    /// - Parameter duration: how long the listeners stay open; zero closes them at once.
    init(_ duration: Duration = .zero) {
        self.duration = duration
    }

    /// Whether the server is about to stop.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func begin() {
        begun.store(true, ordering: .relaxed)
    }
}
