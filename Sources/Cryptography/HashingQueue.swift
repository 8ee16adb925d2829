import CArgon2
import Dispatch
import Glibc
import Synchronization
import Traces

/// A fixed number of threads that take hashing work from one bounded queue.
///
/// Work needs a place in the queue. The place is taken before any charge, so that a refused request costs no attempt.
/// One network may occupy only its share of the places.
final class HashingQueue: Sendable {
    typealias Outcome = Result<[UInt8], PasswordHashError>
    private typealias Admission = Result<HashingPlace, PasswordHashError>

    private struct Job: Sendable {
        let work: @Sendable () -> Outcome
        let finish: @Sendable (Outcome) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running = 0
        var threads = 0
        var isShutDown = false
        var places: HashingPlaces
    }

    private let wanted: Int
    /// False if the system cannot start a thread.
    private let start: @Sendable (HashingQueue) -> Bool
    private let state: Mutex<State>
    /// Counts the waiting jobs, and finally the threads that must stop.
    private let signals = DispatchSemaphore(value: 0)

    /// - Parameter limit: the number of jobs that may wait in addition to the active ones.
    init(
        threads: Int, limit: Int, start: @escaping @Sendable (HashingQueue) -> Bool = { $0.startThread() }
    ) {
        (wanted, self.start) = (threads, start)
        state = Mutex(State(places: HashingPlaces(limit: limit)))
        state.withLock { startMissing(&$0) }
    }

    /// Starts missing threads; if the system refuses one, the next job tries again.
    private func startMissing(_ state: inout State) {
        while state.threads < wanted, start(self) { state.threads += 1 }
        state.places.threads = state.threads
    }

    var depth: Int { state.withLock { $0.waiting.count } }

    // MARK: Places

    /// Takes a place, or waits for one in turn.
    ///
    /// - Parameters:
    ///   - network: the network with the affected share; nil for none.
    ///   - patience: the longest wait.
    /// - Throws: `.busy` if no place became free, or too many requests wait for one.
    func place(for network: String?, patience: Duration) async throws(PasswordHashError) -> HashingPlace {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Admission, Never>) in
            guard
                let ticket = admit(network, waits: patience > .zero, { continuation.resume(returning: $0) })
            else { return }
            Task {
                try? await Task.sleep(for: patience)
                giveUp(ticket)
            }
        }
        return try outcome.get()
    }

    /// Answers at once, or later, with a ticket that can cancel the wait.
    private func admit(_ network: String?, waits: Bool, _ answer: @escaping HashingPlaces.Answer) -> Int? {
        var ticket: Int?
        let admission: Admission? = state.withLock { state in
            guard !state.isShutDown else { return .failure(.shutDown) }
            startMissing(&state)
            // Without a thread, no one would do the work.
            guard state.threads > 0 else { return .failure(.busy) }
            if state.places.take(for: network) { return .success(HashingPlace(self, network)) }
            ticket = waits ? state.places.queue(network, answer) : nil
            return ticket == nil ? .failure(.busy) : nil
        }
        if let admission { answer(admission) }
        return ticket
    }

    private func giveUp(_ ticket: Int) {
        state.withLock { $0.places.leave(ticket) }?(.failure(.busy))
    }

    /// Frees a place, and gives it to the longest waiting request of a network with a free share.
    fileprivate func free(_ network: String?) {
        let next = state.withLock { $0.places.free(network) }
        for (network, answer) in next { answer(.success(HashingPlace(self, network))) }
    }

    // MARK: Work

    /// Waits for a thread and for the work.
    ///
    /// - Parameter place: the place for the work; nil takes one that counts against no network, and fails at once if
    ///   the queue is full.
    func run(
        in place: HashingPlace? = nil, _ work: @escaping @Sendable () throws(PasswordHashError) -> [UInt8]
    ) async throws(PasswordHashError) -> [UInt8] {
        // A returned place cannot be used again.
        let own: HashingPlace? =
            if place?.isHeld != true { try await self.place(for: nil, patience: .zero) } else { nil }
        defer { own?.leave() }
        return try await RequestTrace.measure(.hashing, .inside, "hash a password") {
            () async throws(PasswordHashError) in try await finished(work)
        }
    }

    private func finished(
        _ work: @escaping @Sendable () throws(PasswordHashError) -> [UInt8]
    ) async throws(PasswordHashError) -> [UInt8] {
        let outcome: Outcome = await withCheckedContinuation { continuation in
            let job = Job(work: { Result(catching: work) }, finish: { continuation.resume(returning: $0) })
            if !enqueue(job) { continuation.resume(returning: .failure(.shutDown)) }
        }
        return try outcome.get()
    }

    private func enqueue(_ job: Job) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isShutDown else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { signals.signal() }
        return isTaken
    }

    func shutDown() {
        let (refused, waiters, threads) = state.withLock { state in
            guard !state.isShutDown else { return ([Job](), [HashingPlaces.Answer](), 0) }
            state.isShutDown = true
            defer { state.waiting = [] }
            return (state.waiting, state.places.close(), state.threads)
        }
        for job in refused { job.finish(.failure(.shutDown)) }
        for answer in waiters { answer(.failure(.shutDown)) }
        for _ in 0..<threads {
            signals.signal()
        }
    }

    /// Starts a thread that retains the queue until the shutdown.
    ///
    /// - Returns: false if the system cannot start one.
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
        // Keeps the normal priority: the thread takes locks for which others wait, and a low priority would delay them
        // all.
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

/// A place in the queue, for any number of consecutive jobs of its owner.
///
/// ``leave()`` returns it, and so does releasing the last reference.
package final class HashingPlace: Sendable {
    private let queue: HashingQueue
    private let network: String?
    private let isLeft = Atomic(false)

    fileprivate init(_ queue: HashingQueue, _ network: String?) {
        (self.queue, self.network) = (queue, network)
    }

    deinit { leave() }

    fileprivate var isHeld: Bool { !isLeft.load(ordering: .relaxed) }

    /// Returns the place; further calls have no effect.
    package func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { queue.free(network) }
    }
}
