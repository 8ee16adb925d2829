import Synchronization

/// The result of one attempt, for a request with a limited wait.
final class AttemptResult: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Attempt?, Never>)
        case given(Attempt?)
    }

    private let state = Mutex(State.open)

    /// Only the first call counts.
    func give(_ attempt: Attempt?) {
        let waiter = state.withLock { state -> CheckedContinuation<Attempt?, Never>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(attempt)
                return nil
            case .waited(let continuation):
                state = .given(attempt)
                return continuation
            }
        }
        waiter?.resume(returning: attempt)
    }

    /// Returns the result, or nil after that time; for one caller.
    func value(within patience: Duration) async -> Attempt? {
        let timer = Task {
            try? await Task.sleep(for: patience)
            give(nil)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let given = state.withLock { state -> Attempt?? in
                if case .given(let attempt) = state { return .some(attempt) }
                state = .waited(continuation)
                return nil
            }
            if let given { continuation.resume(returning: given) }
        }
    }
}
