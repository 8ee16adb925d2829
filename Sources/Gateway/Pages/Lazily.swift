import Synchronization

/// Something that is read when it is first asked for, and kept.
///
/// What hardly anybody needs right after a start costs the start nothing, and no memory until then.
final class Lazily<Value: Sendable>: Sendable {
    private let read: @Sendable () throws(PageResourceError) -> Value
    private let kept = Mutex<Value?>(nil)

    /// - Parameter read: called once if it succeeds, and again by whoever asks after a failure.
    init(_ read: @escaping @Sendable () throws(PageResourceError) -> Value) {
        self.read = read
    }

    /// Reads it the first time; whoever asks meanwhile waits.
    func value() throws(PageResourceError) -> Value {
        try kept.withLock { kept throws(PageResourceError) in
            if let kept { return kept }
            let value = try read()
            kept = value
            return value
        }
    }
}
