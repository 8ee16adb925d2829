import CArgon2
import Dispatch
import Glibc
import Synchronization

/// Threads of a fixed number that take hashing work from one bounded queue.
final class HashingQueue: Sendable {
    typealias Outcome = Result<[UInt8], PasswordHashError>

    private struct Job: Sendable {
        let work: @Sendable () -> Outcome
        let finish: @Sendable (Outcome) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running = 0
        var threads = 0
        var isShutDown = false
    }

    private let wanted: Int
    private let limit: Int
    /// False where the system has no thread to give.
    private let start: @Sendable (HashingQueue) -> Bool
    private let state = Mutex(State())
    /// Counts the jobs that wait, and at the end the threads that are to stop.
    private let signals = DispatchSemaphore(value: 0)

    init(
        threads: Int, limit: Int, start: @escaping @Sendable (HashingQueue) -> Bool = { $0.startThread() }
    ) {
        (wanted, self.limit, self.start) = (threads, limit, start)
        state.withLock { startMissing(&$0) }
    }

    /// Starts the threads that there aren't yet; what the system doesn't give now is tried again for the next job.
    private func startMissing(_ state: inout State) {
        while state.threads < wanted, start(self) { state.threads += 1 }
    }

    var depth: Int { state.withLock { $0.waiting.count } }

    /// Waits for a thread and for the work; fails at once when there is no room.
    func run(
        _ work: @escaping @Sendable () throws(PasswordHashError) -> [UInt8]
    ) async throws(PasswordHashError) -> [UInt8] {
        let outcome: Outcome = await withCheckedContinuation { continuation in
            let job = Job(work: { Result(catching: work) }, finish: { continuation.resume(returning: $0) })
            if let refusal = enqueue(job) { continuation.resume(returning: .failure(refusal)) }
        }
        return try outcome.get()
    }

    private func enqueue(_ job: Job) -> PasswordHashError? {
        let refusal: PasswordHashError? = state.withLock { state in
            guard !state.isShutDown else { return .shutDown }
            startMissing(&state)
            // Nobody would ever take it.
            guard state.threads > 0 else { return .busy }
            // A job passes through the queue even when a thread is idle: count both sides of it together.
            let isFull = state.waiting.count + state.running >= state.threads + limit
            guard !isFull else { return .busy }
            state.waiting.append(job)
            return nil
        }
        if refusal == nil { signals.signal() }
        return refusal
    }

    func shutDown() {
        let (refused, threads) = state.withLock { state in
            guard !state.isShutDown else { return ([Job](), 0) }
            state.isShutDown = true
            defer { state.waiting = [] }
            return (state.waiting, state.threads)
        }
        for job in refused {
            job.finish(.failure(.shutDown))
        }
        for _ in 0..<threads {
            signals.signal()
        }
    }

    /// The thread holds the queue until it is shut down.
    ///
    /// - Returns: false where the system has none to give.
    func startThread() -> Bool {
        let context = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<HashingQueue>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func work() {
        // No lower priority: an answer is handed over under locks that others wait for, and a thread that is put behind
        // everybody while it holds one puts them all behind it.
        unsafe cargon2_name_thread("password-hash")
        while true {
            signals.wait()
            let job: Job? = state.withLock { state in
                guard !state.waiting.isEmpty else { return nil }
                state.running += 1
                return state.waiting.removeFirst()
            }
            if let job {
                let outcome = job.work()
                state.withLock { $0.running -= 1 }
                job.finish(outcome)
            } else if state.withLock({ $0.isShutDown }) {
                return
            }
        }
    }
}
