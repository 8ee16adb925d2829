import Logging

/// The state that the pool's threads share.
///
/// Methods whose comment says *locked* are called with ``monitor`` held.
final class PoolCore: @unchecked Sendable {
    // Sendable: `machine`, `slots` and the other variables are read and written only with `monitor` held; what is behind a
    // slot's connection is its worker's, or while it is entrusted that of whoever holds the connection's `sending`.

    /// Starts a thread of that name; false where the system has none to give.
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
    /// Whether a connection was given up that may have been committing: its commit may wait for a standby for long.
    var commitsMayWait = false
    /// Whether somebody takes the answers to what is sent past the workers.
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

    /// Starts the first connection and the watcher; more than once is the same as once.
    func start() {
        monitor.withLock {
            guard !hasStarted, !machine.isClosing else { return }
            // Without it no time limit would be kept and no shutdown would end: whoever asks next tries again.
            guard startThread("pg-watcher", { self.watch() }) else { return noteNoWatcher() }
            hasStarted = true
            obey(machine.startWorker())?.signal()
            hasReader = sockets.isUsable && startThread("pg-reader") { self.readAnswers() }
            if !hasReader { logger.error("no thread for reading from all database connections") }
        }
    }

    /// Locked.
    ///
    /// Says once that there is no thread for the watcher; when a connection is up, that is said too.
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
    /// - Returns: whom to wake once the lock is free: a thread that wakes while it is held runs straight into it.
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
    /// No further statement begins. The one that runs gets ``PostgresConfiguration/cancelGrace`` to end, and the server is not
    /// asked to cancel it: it may be committing.
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
    /// Starts whom the machine wants started.
    ///
    /// - Returns: whom it wants awake.
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

    /// Ends everything in order; returns when the last connection is closed.
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
