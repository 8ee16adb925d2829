/// The pool's state machine: which worker runs a job, waits or connects.
///
/// It has no thread, clock or socket. The pool reports events, and the machine returns the next step.
///
/// A *worker* is a thread with room for one connection, a *job* is a request. The rules:
/// - Jobs run in order of arrival. A full queue refuses further jobs.
/// - After a lost connection or a failed attempt, only one worker connects at a time, with growing pauses, until it succeeds.
///   Then the others connect as they are needed.
/// - After a failed attempt and without any connection, the database is *down*: new and queued jobs are refused at once.
/// - If a worker finds its connection dead before it starts a job, the job returns to the head of the queue.
struct PoolMachine<Job: AnyObject> {
    enum Worker: Equatable {
        /// Has no thread yet.
        case absent
        /// Waits without a connection until one is needed.
        case unconnected
        case connecting
        /// Connected, without a job.
        case idle
        /// Connected and awake, about to call ``next(_:now:)``.
        case ready
        /// Connected, but must check its connection first, because another one has died.
        case suspect
        case busy
        case stopped
    }

    /// A thread to wake or start.
    enum Wake: Equatable {
        case nobody
        case worker(Int)
        /// A new thread.
        case start(Int)
    }

    enum Order {
        case run(Job, Wake)
        case connect
        case check
        case wait(until: MonotonicTime)
        case stop
    }

    enum Submission: Equatable {
        case queued(Wake)
        case refused(PostgresError)
    }

    private struct Entry {
        let job: Job
        let expires: MonotonicTime
    }

    let queueLimit: Int
    private(set) var workers: [Worker]
    private var queue: [Entry] = []
    /// Idle workers; the last one to finish is used first, so that the memory of the others can be swapped out.
    private var idle: [Int] = []
    private(set) var live = 0
    private(set) var connecting = 0
    /// Failed attempts to connect since the last success.
    private(set) var failures = 0
    /// One attempt at a time, until one succeeds.
    private var careful = true
    private var nextAttempt = MonotonicTime(nanoseconds: .min)
    /// The worker that waits for ``nextAttempt``.
    private var prober: Int?
    private(set) var isClosing = false

    init(workers: Int, queueLimit: Int) {
        self.workers = Array(repeating: .absent, count: workers)
        self.queueLimit = queueLimit
    }

    var queued: Int { queue.count }
    var busy: Int { workers.count { $0 == .busy } }
    var isDown: Bool { failures > 0 && live == 0 }
    var isUp: Bool { live > 0 && !isClosing }
    var hasStopped: Bool { isClosing && workers.allSatisfy { $0 == .absent || $0 == .stopped } }
}

// MARK: Jobs

extension PoolMachine {
    mutating func submit(_ job: Job, now: MonotonicTime, expires: MonotonicTime) -> Submission {
        if isClosing { return .refused(.closed) }
        if isDown { return .refused(unavailable(now: now)) }
        if queue.count >= queueLimit { return .refused(.overloaded) }
        queue.append(Entry(job: job, expires: expires))
        return .queued(wake(now: now))
    }

    /// Gives the job to an idle worker directly.
    ///
    /// The queue is empty then.
    ///
    /// - Returns: the worker; nil if none is idle, so that the job has to be submitted.
    mutating func assign(_ job: Job) -> Int? {
        guard !isClosing, queue.isEmpty, let worker = idle.popLast() else { return nil }
        workers[worker] = .busy
        return worker
    }

    /// Removes a job from the queue; false if it is no longer there.
    mutating func withdraw(_ job: Job) -> Bool {
        guard let place = queue.firstIndex(where: { $0.job === job }) else { return false }
        queue.remove(at: place)
        return true
    }

    /// Removes and returns the jobs that waited too long.
    mutating func expire(now: MonotonicTime) -> [Job] {
        guard queue.contains(where: { $0.expires <= now }) else { return [] }
        let expired = queue.filter { $0.expires <= now }.map(\.job)
        queue.removeAll { $0.expires <= now }
        return expired
    }

    var nextExpiry: MonotonicTime { queue.map(\.expires).min() ?? .never }

    func unavailable(now: MonotonicTime) -> PostgresError {
        let seconds = (max(nextAttempt, now) - now).nanoseconds / 1_000_000_000
        return .unavailable(retryAfter: Int(seconds) + 1)
    }

    /// The jobs to fail because the database is down.
    private mutating func drainIfDown() -> [Job] {
        guard isDown else { return [] }
        defer { queue.removeAll() }
        return queue.map(\.job)
    }
}

// MARK: Workers

extension PoolMachine {
    /// The worker to wake for the last job in the queue.
    private mutating func wake(now: MonotonicTime) -> Wake {
        if let worker = idle.popLast() {
            workers[worker] = .ready
            return .worker(worker)
        }
        guard mayConnect(now: now), !isClosing else { return .nobody }
        if let worker = workers.firstIndex(of: .unconnected) { return .worker(worker) }
        return startWorker()
    }

    /// Starts the thread of a worker that has none.
    mutating func startWorker() -> Wake {
        guard !isClosing, let worker = workers.firstIndex(of: .absent) else { return .nobody }
        workers[worker] = .unconnected
        return .start(worker)
    }

    private func mayConnect(now: MonotonicTime) -> Bool {
        if careful { return connecting == 0 && now >= nextAttempt && (live == 0 || !queue.isEmpty) }
        return queue.count > connecting || live + connecting == 0
    }

    /// The next step of a worker without a job.
    mutating func next(_ worker: Int, now: MonotonicTime) -> Order {
        switch workers[worker] {
        case .suspect: return .check
        case .ready, .idle, .busy: return nextConnected(worker, now: now)
        case .absent, .unconnected, .connecting: return nextUnconnected(worker, now: now)
        case .stopped: return .stop
        }
    }

    private mutating func nextConnected(_ worker: Int, now: MonotonicTime) -> Order {
        idle.removeAll { $0 == worker }
        guard !queue.isEmpty else {
            if isClosing { return stop(worker) }
            workers[worker] = .idle
            idle.append(worker)
            return .wait(until: .never)
        }
        let job = queue.removeFirst().job
        workers[worker] = .busy
        return .run(job, queue.isEmpty ? .nobody : wake(now: now))
    }

    private mutating func nextUnconnected(_ worker: Int, now: MonotonicTime) -> Order {
        workers[worker] = .unconnected
        if isClosing && (queue.isEmpty || live + connecting > 0 || isDown) { return stop(worker) }
        if mayConnect(now: now) {
            workers[worker] = .connecting
            connecting += 1
            return .connect
        }
        let isNeeded = live == 0 || !queue.isEmpty
        if careful && connecting == 0 && isNeeded && prober == nil { prober = worker }
        guard prober == worker else { return .wait(until: .never) }
        if isNeeded && connecting == 0 { return .wait(until: nextAttempt) }
        prober = nil
        return .wait(until: .never)
    }

    private mutating func stop(_ worker: Int) -> Order {
        if isConnected(worker) { live -= 1 }
        workers[worker] = .stopped
        return .stop
    }

    private func isConnected(_ worker: Int) -> Bool {
        switch workers[worker] {
        case .idle, .ready, .suspect, .busy: true
        case .absent, .unconnected, .connecting, .stopped: false
        }
    }

    /// Reports a successful attempt to connect.
    mutating func connected(_ worker: Int) {
        connecting -= 1
        live += 1
        failures = 0
        careful = false
        nextAttempt = MonotonicTime(nanoseconds: .min)
        prober = nil
        workers[worker] = .ready
    }

    /// Reports a failed attempt to connect.
    ///
    /// - Returns: jobs to fail with ``unavailable(now:)``.
    mutating func connectFailed(_ worker: Int, now: MonotonicTime, chance: Double) -> [Job] {
        connecting -= 1
        workers[worker] = .unconnected
        careful = true
        failures += 1
        nextAttempt = now + Backoff.delay(afterFailures: failures, chance: chance)
        prober = worker
        return connecting == 0 ? drainIfDown() : []
    }

    /// Reports a broken connection, during a job or while idle.
    ///
    /// - Returns: workers to wake, which then check their own connections; and jobs to fail.
    mutating func lost(_ worker: Int) -> (wake: [Int], failed: [Job]) {
        live -= 1
        workers[worker] = .unconnected
        idle.removeAll { $0 == worker }
        careful = true
        return (suspectIdle(), drainIfDown())
    }

    /// Makes every idle worker check its connection.
    mutating func suspectIdle() -> [Int] {
        let suspects = idle
        idle.removeAll()
        for worker in suspects { workers[worker] = .suspect }
        return suspects
    }

    /// Reports data for an idle worker.
    ///
    /// As a rule the server is closing the connection.
    mutating func suspect(_ worker: Int) {
        guard workers[worker] == .idle else { return }
        idle.removeAll { $0 == worker }
        workers[worker] = .suspect
    }

    /// Reports that a worker's check found its connection alive.
    mutating func found(_ worker: Int) {
        workers[worker] = .ready
    }

    /// Reports a connection that was dead before the job started, and requeues the job.
    mutating func giveBack(_ job: Job, expires: MonotonicTime, from worker: Int) -> (wake: [Int], failed: [Job]) {
        queue.insert(Entry(job: job, expires: expires), at: 0)
        return lost(worker)
    }

    /// Reports that a worker's thread could not be started.
    mutating func startFailed(_ worker: Int) {
        workers[worker] = .absent
    }

    /// Refuses new jobs.
    ///
    /// Workers finish the queue and stop.
    ///
    /// - Returns: workers to wake.
    mutating func close() -> [Int] {
        isClosing = true
        defer { idle.removeAll() }
        for worker in idle { workers[worker] = .ready }
        return workers.indices.filter { workers[$0] == .unconnected || workers[$0] == .ready }
    }

    /// Removes and returns the jobs that are left after every worker has stopped.
    mutating func takeRemaining() -> [Job] {
        defer { queue.removeAll() }
        return queue.map(\.job)
    }
}
