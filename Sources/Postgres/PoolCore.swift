import Logging

/// The shared state of the pool's threads.
///
/// Methods documented as *locked* are called while holding ``monitor``.
final class PoolCore: @unchecked Sendable {
    // Sendable: `machine`, `slots` and the other variables are accessed only while holding `monitor`. A slot's
    // connection belongs to its worker or, while handed over, to the holder of the connection's `sending`.

    /// Starts a thread of that name; false if the system can't create one.
    typealias ThreadStart = @Sendable (String, @escaping @Sendable () -> Void) -> Bool

    let configuration: PostgresConfiguration
    let logger: Logger
    let metrics = PoolMetrics()
    let writes: WriteHealth
    let monitor = Monitor()
    let watcherWake = Monitor.Condition()
    let sockets = SocketSet()
    private let startThread: ThreadStart
    var machine: PoolMachine<PoolJob>
    var slots: [Slot]
    var counts = PoolStatistics.Counts()
    var watcherWakesAt = MonotonicTime.never
    var downSince: MonotonicTime?
    /// When the server last answered a job.
    var answeredAt = MonotonicTime(nanoseconds: .min)
    /// Whether a connection was abandoned during a possible commit, which may wait for a standby.
    var commitsMayWait = false
    /// Whether a thread reads the answers to statements that bypass the workers.
    private(set) var hasReader = false
    private var hasStarted = false
    private var hasFinished = false
    private var shutdownWaiters: [CheckedContinuation<Void, Never>] = []

    init(
        configuration: PostgresConfiguration, logger: Logger,
        startThread: @escaping ThreadStart = { DedicatedThread.start(name: $0, $1) }
    ) {
        (self.configuration, self.logger, self.startThread) = (configuration, logger, startThread)
        writes = WriteHealth(logger: logger)
        machine = PoolMachine(workers: configuration.maximumConnections, queueLimit: configuration.queueLimit)
        slots = (0..<configuration.maximumConnections).map { _ in Slot() }
    }

    /// Starts the first connection and the watcher; repeated calls have no effect.
    func start() {
        monitor.withLock {
            guard !hasStarted, !machine.isClosing else { return }
            // Without it there would be no time limits and no shutdown, so the next caller retries.
            guard startThread("pg-watcher", { self.watch() }) else { return noteNoWatcher() }
            hasStarted = true
            obey(machine.startWorker())?.signal()
            hasReader = sockets.isUsable && startThread("pg-reader") { self.readAnswers() }
            if !hasReader { logger.error("no thread for reading from all database connections") }
        }
    }

    /// Locked.
    ///
    /// Logs once that the watcher's thread can't be created, and its recovery once a connection is up.
    private func noteNoWatcher() {
        guard downSince == nil else { return }
        downSince = .now
        logger.critical("no thread for watching the database connections")
    }

    func submit(_ job: PoolJob) {
        if let statement = job.statement, hand(job, statement) { return }
        let accepted = monitor.withLock { enqueue(job) }
        switch accepted {
        case .success(let sleeper): sleeper?.signal()
        case .failure(let refusal):
            metrics.count(refusal)
            job.fail(refusal)
        }
    }

    /// Locked.
    ///
    /// - Returns: the threads to wake after releasing the lock; earlier, they would block on it.
    private func enqueue(_ job: PoolJob) -> Result<Monitor.Condition?, PostgresError> {
        if let error = job.interruption.error { return .failure(error) }
        guard hasStarted || machine.isClosing else { return .failure(machine.unavailable(now: .now)) }
        switch machine.submit(job, now: job.submitted, expires: job.expires) {
        case .refused(let error):
            return .failure(error)
        case .queued(let wake):
            if job.expires < watcherWakesAt { watcherWake.signal() }
            return .success(obey(wake))
        }
    }

    /// The task that waits for the job was cancelled.
    ///
    /// No further statement starts. The running one has ``PostgresConfiguration/cancelGrace`` to end. The server is not
    /// asked to cancel it, because it may be committing.
    func cancel(_ job: PoolJob) {
        job.interruption.cancel()
        let wasQueued = monitor.withLock {
            if machine.withdraw(job) { return true }
            if let worker = slots.firstIndex(where: { $0.job === job }) { hurry(worker) }
            return false
        }
        if wasQueued { job.fail(.cancelled) }
    }

    /// Locked.
    private func hurry(_ worker: Int) {
        slots[worker].deadline = min(slots[worker].deadline, .now + configuration.cancelGrace)
        if slots[worker].deadline < watcherWakesAt { watcherWake.signal() }
    }

    /// Locked.
    ///
    /// Starts the threads that the machine requests.
    ///
    /// - Returns: the threads that it wants to wake.
    func obey(_ wake: PoolMachine<PoolJob>.Wake) -> Monitor.Condition? {
        switch wake {
        case .nobody: return nil
        case .worker(let worker): return slots[worker].wake
        case .start(let worker):
            guard !startThread("pg-\(worker)", { self.work(worker) }) else { return nil }
            machine.startFailed(worker)
            logger.error("no thread for another database connection")
            return nil
        }
    }

    /// Shuts down in order; returns after the last connection is closed.
    func shutdown() async {
        beginShutdown()
        await withCheckedContinuation { continuation in
            let isOver = monitor.withLock {
                if hasFinished || !hasStarted { return true }
                shutdownWaiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    func beginShutdown() {
        monitor.withLock {
            guard !machine.isClosing else { return }
            for worker in machine.close() { slots[worker].wake.signal() }
            watcherWake.signal()
        }
    }

    /// The watcher's last act.
    func finish() {
        let (jobs, waiters) = monitor.withLock {
            hasFinished = true
            defer { shutdownWaiters = [] }
            return (machine.takeRemaining(), shutdownWaiters)
        }
        sockets.ring()
        for job in jobs { job.fail(.closed) }
        for waiter in waiters { waiter.resume() }
    }
}
