import Synchronization

/// A value that is read on first use, and kept.
///
/// Rarely used values cost neither start time nor memory until then.
package final class Lazily<Value: Sendable>: Sendable {
    private let read: @Sendable () throws(PageResourceError) -> Value
    private let kept = Mutex<Value?>(nil)

    /// - Parameter read: called until it succeeds once.
    init(_ read: @escaping @Sendable () throws(PageResourceError) -> Value) {
        self.read = read
    }

    /// Reads it the first time; concurrent callers wait.
    package func value() throws(PageResourceError) -> Value {
        try kept.withLock { kept throws(PageResourceError) in
            if let kept { return kept }
            let value = try read()
            kept = value
            return value
        }
    }
}
