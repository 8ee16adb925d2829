import Synchronization

/// Signals a running job to stop.
///
/// Any thread sets it; the connection's thread reads it between statements.
final class Interruption: Sendable {
    private enum Reason {
        static let none: UInt8 = 0
        static let cancelled: UInt8 = 1
        static let deadline: UInt8 = 2
    }

    private let reason = Atomic<UInt8>(Reason.none)

    /// The first reason; later ones are ignored.
    func cancel() { set(Reason.cancelled) }
    func passDeadline() { set(Reason.deadline) }

    var error: PostgresError? {
        switch reason.load(ordering: .acquiring) {
        case Reason.cancelled: .cancelled
        case Reason.deadline: .timedOut
        default: nil
        }
    }

    private func set(_ value: UInt8) {
        _ = reason.compareExchange(expected: Reason.none, desired: value, ordering: .acquiringAndReleasing)
    }
}
