import Hummingbird
import ServiceLifecycle
import Synchronization

/// Cancels requests that take too long.
///
/// A timer for each request would cost more than most requests do: each is entered in one table instead, and a service
/// looks through it four times a second. Cancelling is a request to stop, which the database pool, outbound calls and the
/// hashing queue honour; the answer is then 503 `deadline_exceeded`.
final class RequestDeadline: Service {
    private struct Entry: Sendable {
        let deadline: ContinuousClock.Instant
        let task: Task<Response, any Error>
    }

    private struct State: Sendable {
        var next: UInt64 = 0
        var entries: [UInt64: Entry] = [:]
    }

    private let state = Mutex(State())

    /// Requests in the table.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs the body in a task of its own, which starts on the spot and is cancelled when its time is up or the caller is
    /// cancelled.
    ///
    /// - Throws: what the body throws; ``Problem/deadlineExceeded`` when it was cancelled for the time and threw.
    func run(
        until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        // Detached: what the connection's task has of its own is nothing to a request, and costs to be copied.
        let task = Task.immediateDetached(executorPreference: EventLoopExecutor.current) { try await body() }
        let id = enter(Entry(deadline: deadline, task: task))
        defer { leave(id) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch  where task.isCancelled {
            throw Problem.deadlineExceeded
        }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(250))
                self.cancelExpired(at: .now)
            }
        }
    }

    /// Cancels what is overdue.
    func cancelExpired(at now: ContinuousClock.Instant) {
        let overdue = state.withLock { state in state.entries.values.filter { $0.deadline <= now } }
        for entry in overdue { entry.task.cancel() }
    }

    private func enter(_ entry: Entry) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.entries[state.next] = entry
            return state.next
        }
    }

    private func leave(_ id: UInt64) {
        _ = state.withLock { $0.entries.removeValue(forKey: id) }
    }
}
