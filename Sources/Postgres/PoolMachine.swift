/// Decides which workers work, wait and connect.
///
/// Pure: no thread, clock or socket. The pool reports events, and the machine returns the next actions.
///
/// A *worker* is a thread with room for one connection, a *job* is a request. The rules:
/// - Jobs run in order of arrival. A full queue refuses.
/// - After a lost connection or a failed attempt, only one worker connects at a time, with growing pauses, until it
///   succeeds. Then the others follow on demand.
/// - After a failed attempt and without a connection, the database is *down*: all jobs are refused immediately,
///   including queued ones.
/// - A job whose worker found its connection dead returns to the head of the queue.
struct PoolMachine<Job: AnyObject> {
    enum Worker: Equatable {
        /// Has no thread yet.
        case absent
        /// Has no connection, and waits for a reason to open one.
        case unconnected
        case connecting
        /// Connected, nothing to do.
        case idle
        /// Connected, awake, about to request its next action.
        case ready
        /// Connected, but another connection has died: must check its own first.
        case suspect
        case busy
        case stopped
    }

    /// A thread to wake.
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
    /// Idle workers, most recently used last, so that the memory of the others stays cold.
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

    /// Gives the job directly to an idle worker, past the empty queue.
    ///
    /// - Returns: the worker; nil without an idle one, so that the job has to be submitted.
    mutating func assign(_ job: Job) -> Int? {
        guard !isClosing, queue.isEmpty, let worker = idle.popLast() else { return nil }
        workers[worker] = .busy
        return worker
    }

    /// Removes a job from the queue, if it is still queued.
    mutating func withdraw(_ job: Job) -> Bool {
        guard let place = queue.firstIndex(where: { $0.job === job }) else { return false }
        queue.remove(at: place)
        return true
    }

    /// Removes the jobs that have waited too long.
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
    /// The worker to wake for the job at the end of the queue.
    private mutating func wake(now: MonotonicTime) -> Wake {
        if let worker = idle.popLast() {
            workers[worker] = .ready
            return .worker(worker)
        }
        guard mayConnect(now: now), !isClosing else { return .nobody }
        if let worker = workers.firstIndex(of: .unconnected) { return .worker(worker) }
        return startWorker()
    }

    /// Requests a thread for a worker without one.
    mutating func startWorker() -> Wake {
        guard !isClosing, let worker = workers.firstIndex(of: .absent) else { return .nobody }
        workers[worker] = .unconnected
        return .start(worker)
    }

    private func mayConnect(now: MonotonicTime) -> Bool {
        if careful { return connecting == 0 && now >= nextAttempt && (live == 0 || !queue.isEmpty) }
        return queue.count > connecting || live + connecting == 0
    }

    /// The next action of a worker without work.
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

    /// A worker's attempt to connect succeeded.
    mutating func connected(_ worker: Int) {
        connecting -= 1
        live += 1
        failures = 0
        careful = false
        nextAttempt = MonotonicTime(nanoseconds: .min)
        prober = nil
        workers[worker] = .ready
    }

    /// A worker's attempt to connect failed.
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

    /// A worker's connection broke, during a job or while idle.
    ///
    /// - Returns: workers to wake, so that they check their own connections; and jobs to fail.
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

    /// The server sent data to an idle worker: its connection is usually closing.
    mutating func suspect(_ worker: Int) {
        guard workers[worker] == .idle else { return }
        idle.removeAll { $0 == worker }
        workers[worker] = .suspect
    }

    /// A worker has checked its connection and found it alive.
    mutating func found(_ worker: Int) {
        workers[worker] = .ready
    }

    /// A worker's connection was found dead before it began the job.
    mutating func giveBack(_ job: Job, expires: MonotonicTime, from worker: Int) -> (wake: [Int], failed: [Job]) {
        queue.insert(Entry(job: job, expires: expires), at: 0)
        return lost(worker)
    }

    /// A worker's thread could not be created.
    mutating func startFailed(_ worker: Int) {
        workers[worker] = .absent
    }

    /// No new jobs.
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

    /// The jobs that remain after every worker has stopped.
    mutating func takeRemaining() -> [Job] {
        defer { queue.removeAll() }
        return queue.map(\.job)
    }
}
