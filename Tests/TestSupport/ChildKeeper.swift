import Foundation
import Glibc
import Synchronization

/// The thread that starts a program and waits for its end.
///
/// The kernel ends the program with the thread that started it (``ChildSpawn``), so a crashed test run leaves nothing
/// running. A thread of the runtime could end too early; this one lives as long as its program.
final class ChildKeeper: Sendable {
    private struct State {
        var start: Result<pid_t, any Error>?
        var status: Int32?
    }

    private let state = Mutex(State())

    /// The status from `waitpid`; nil while the program runs.
    var status: Int32? { state.withLock { $0.status } }

    func start(_ spawn: ChildSpawn) throws -> pid_t {
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            let start = Result { try spawn.start() }
            state.withLock { $0.start = start }
            isStarted.signal()
            if case .success(let id) = start { reap(id) }
        }
        isStarted.wait()
        guard let start = state.withLock({ $0.start }) else { throw HarnessError("\(spawn.path) was not started.") }
        return try start.get()
    }

    func send(signal: Int32) {
        state.withLock { state in
            // Not after its end, because the number may belong to another process by then.
            if state.status == nil, case .success(let id) = state.start { _ = kill(id, signal) }
        }
    }

    private func reap(_ id: pid_t) {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        let ended = status
        state.withLock { $0.status = ended }
    }
}
