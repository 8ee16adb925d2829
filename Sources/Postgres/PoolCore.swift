import Logging

/// The state that the pool's threads share.
///
/// Methods whose comment says *locked* are called with ``monitor`` held.
final class PoolCore: @unchecked Sendable {
    // Sendable: `machine`, `slots` and the other variables are read and written only with `monitor` held; what is behind a
    // slot's connection is its worker's, or while it is entrusted that of whoever holds the connection's `sending`.

    /// What the outside may touch of a worker's connection.
    struct Slot {
        let wake = Monitor.Condition()
        var connection: Connection?
        var socket: Int32 = -1
        var cancel: CancelHandle?
        var job: PoolJob?
        var started = MonotonicTime.never
        /// Whether the connection is not its thread's, but the sender's and the reader's of ``job``.
        var isEntrusted = false
        /// The job where its thread is to go on with it, until it does.
        var handed: PoolJob?
        /// Whether the job is answered and its thread is to make the connection fit.
        var isUnsettled = false
        var deadline = MonotonicTime.never
        /// When to stop waiting for the server to obey.
        var abandonAt = MonotonicTime.never
        var cancelSent = false
        /// When to ask the server once more: it doesn't heed who asks before it has begun.
        var cancelAgainAt = MonotonicTime.never
        /// The number of the cancel request that is under way.
        var cancelInFlight: Int?
        var isAbandoned = false
    }

    let configuration: PostgresConfiguration
    let logger: Logger
    let metrics = PoolMetrics()
    let monitor = Monitor()
    let watcherWake = Monitor.Condition()
    let sockets = SocketSet()
    var machine: PoolMachine<PoolJob>
    var slots: [Slot]
    var counts = PoolStatistics.Counts()
    var watcherWakesAt = MonotonicTime.never
    var cancelNumber = 0
    var downSince: MonotonicTime?
    /// Whether somebody takes the answers to what is sent past the workers.
    private(set) var hasReader = false
    private var hasStarted = false
    private var hasFinished = false
    private var shutdownWaiters: [CheckedContinuation<Void, Never>] = []

    init(configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        machine = PoolMachine(workers: configuration.maximumConnections, queueLimit: configuration.queueLimit)
        slots = (0..<configuration.maximumConnections).map { _ in Slot() }
    }

    /// Starts the first connection and the watcher; more than once is the same as once.
    func start() {
        monitor.withLock {
            guard !hasStarted, !machine.isClosing else { return }
            hasStarted = true
            obey(machine.startWorker())?.signal()
            if !DedicatedThread.start(name: "pg-watcher", { self.watch() }) {
                logger.critical("no thread for watching the database connections")
            }
            hasReader = sockets.isUsable && DedicatedThread.start(name: "pg-reader") { self.readAnswers() }
            if !hasReader { logger.error("no thread for reading from all database connections") }
        }
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
        switch machine.submit(job, now: job.submitted, expires: job.expires) {
        case .refused(let error):
            return .failure(error)
        case .queued(let wake):
            if job.expires < watcherWakesAt { watcherWake.signal() }
            return .success(obey(wake))
        }
    }

    /// The task that waits for the job was cancelled.
    func cancel(_ job: PoolJob) {
        job.interruption.cancel()
        let wasQueued = monitor.withLock {
            if machine.withdraw(job) { return true }
            if let worker = slots.firstIndex(where: { $0.job === job }) { sendCancel(worker) }
            return false
        }
        if wasQueued { job.fail(.cancelled) }
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
            guard !DedicatedThread.start(name: "pg-\(worker)", { self.work(worker) }) else { return nil }
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
