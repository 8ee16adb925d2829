import Synchronization

/// The period between the signal to stop and the end of the listeners.
///
/// During it, readiness is false, so that load balancers use other servers, and each answer closes its connection.
/// Connections are still accepted and requests answered, because load balancers and clients notice it with a delay.
package final class Drain: Sendable {
    /// How long the listeners stay open.
    let duration: Duration
    private let begun = Atomic(false)

    /// - Parameter duration: how long the listeners stay open; zero closes them at once.
    package init(_ duration: Duration = .zero) {
        self.duration = duration
    }

    /// Whether the drain has begun.
    package var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func begin() {
        begun.store(true, ordering: .relaxed)
    }
}
