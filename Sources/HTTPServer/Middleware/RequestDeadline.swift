import Hummingbird
import ServiceLifecycle
import Synchronization

/// Cancels requests that exceed the time limit.
///
/// All requests are in one table, which a service scans four times a second (docs/decisions/0018). The database pool,
/// outbound calls and the hashing queue stop when they are cancelled; the answer is then 503 `deadline_exceeded`.
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

    /// The number of requests in the table.
    var count: Int { state.withLock { $0.entries.count } }

    /// Runs the body in a task that starts immediately, and is cancelled at the deadline or with the caller.
    ///
    /// - Throws: the body's error; ``Problem/deadlineExceeded`` if the body throws after its cancellation.
    func run(
        until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        // Detached, so that the task locals of the connection are not copied.
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

    /// Cancels overdue requests.
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
