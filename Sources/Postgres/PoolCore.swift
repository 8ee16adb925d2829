import Logging

/// The shared state of the pool's threads.
///
/// Methods documented as *locked* are called while holding ``monitor``.
final class PoolCore: @unchecked Sendable {
    // Sendable: all variables are read and written with `monitor` held. A connection belongs to its worker. While it is
    // entrusted, it belongs to the thread that holds its `sending` lock.

    /// Starts a named thread; false if the system refuses.
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
    /// The time of the server's last answer to a job.
    var answeredAt = MonotonicTime(nanoseconds: .min)
    /// Whether a connection was given up during a commit, which may still wait for a standby.
    var commitsMayWait = false
    /// Whether the reader thread runs.
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

    /// Starts the first connection and the watcher.
    ///
    /// Further calls do nothing.
    func start() {
        monitor.withLock {
            guard !hasStarted, !machine.isClosing else { return }
            // Without the watcher, no time limit applies and no shutdown ends. The next call tries again.
            guard startThread("pg-watcher", { self.watch() }) else { return noteNoWatcher() }
            hasStarted = true
            obey(machine.startWorker())?.signal()
            hasReader = sockets.isUsable && startThread("pg-reader") { self.readAnswers() }
            if !hasReader { logger.error("no thread for reading from all database connections") }
        }
    }

    /// Locked.
    ///
    /// Logs once that the watcher has no thread. ``noteUp()`` logs the recovery.
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
    /// - Returns: the thread to wake after unlocking: woken earlier, it would wait for the lock.
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

    /// Handles the cancellation of the task that waits for the job.
    ///
    /// No further statement starts. A running statement has ``PostgresConfiguration/cancelGrace`` to end. The server is not
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
    /// Starts the worker that the machine wants to start.
    ///
    /// - Returns: the worker to wake.
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

    /// Returns when the last connection is closed.
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

    /// Called by the watcher as its last step.
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
