import Synchronization

/// Returns the given values in order.
final class RandomSequence: Sendable {
    private let rest: Mutex<[[UInt8]]>

    init(_ draws: [[UInt8]]) {
        rest = Mutex(draws)
    }

    func next() -> [UInt8] {
        rest.withLock { $0.isEmpty ? [] : $0.removeFirst() }
    }
}
