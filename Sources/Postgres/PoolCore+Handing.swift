/// The fast path of a single-statement job: from the caller directly to an idle connection.
///
/// The normal path wakes the connection's thread twice, for the job and for the answer. Here the caller sends the
/// statement itself, and one thread reads the answers of all connections (``readAnswers()``).
extension PoolCore {
    /// A job with a statement about to be sent on its worker's connection.
    struct Handed {
        let job: PoolJob
        let statement: SQL
        let connection: Connection
    }

    /// Sends the job's statement from the caller's thread, if a connection is idle.
    ///
    /// - Returns: false if the job has to use the normal path.
    func hand(_ job: PoolJob, _ statement: SQL) -> Bool {
        let handed: Handed? = monitor.withLock {
            guard hasReader, job.interruption.error == nil, let worker = machine.assign(job) else { return nil }
            return entrust(job, statement, worker, at: job.submitted)
        }
        guard let handed else { return false }
        present(handed)
        return true
    }

    /// Locked.
    ///
    /// Takes the connection from its thread: it belongs to the sender until it releases ``Connection/sending``, then to
    /// the reader until it returns it.
    func entrust(_ job: PoolJob, _ statement: SQL, _ worker: Int, at start: MonotonicTime) -> Handed? {
        guard let connection = slots[worker].connection else { return nil }
        claim(worker, job, at: start)
        slots[worker].isEntrusted = true
        // Before the monitor is released, because an answer may arrive before the sender reports. Nobody holds it: its
        // last holder released it before the connection became idle.
        connection.sending.lock()
        return Handed(job: job, statement: statement, connection: connection)
    }

    /// Sends the handed-over statement.
    ///
    /// If that fails here, the connection's thread sends it, through the reader.
    func present(_ handed: Handed) {
        let isSent = handed.connection.present(handed.statement)
        handed.connection.sending.unlock()
        if !isSent { sockets.ring() }
    }

    /// Locked.
    ///
    /// Records the worker's current job.
    func claim(_ worker: Int, _ job: PoolJob, at start: MonotonicTime) {
        slots[worker].job = job
        slots[worker].started = start
        slots[worker].deadline = start + job.timeout
        if slots[worker].deadline < watcherWakesAt { watcherWake.signal() }
    }
}
