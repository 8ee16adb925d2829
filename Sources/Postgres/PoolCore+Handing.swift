/// Sends the statement of a single-statement job directly on an idle connection.
///
/// The usual path wakes the connection's thread twice: for the job and for the server's answer. Here the calling thread sends
/// the statement, and one thread takes the answers of all connections (``readAnswers()``). docs/decisions/0014 has the
/// measured gain.
extension PoolCore {
    /// A job with the connection on which its statement is sent.
    struct Handed {
        let job: PoolJob
        let statement: SQL
        let connection: Connection
    }

    /// Sends the job's statement from the calling thread, if a connection is idle.
    ///
    /// - Returns: false if the job has to take the usual path.
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
    /// Takes the connection from its thread.
    ///
    /// It belongs to the sender until that unlocks ``Connection/sending``, and then to the reader until it returns it.
    func entrust(_ job: PoolJob, _ statement: SQL, _ worker: Int, at start: MonotonicTime) -> Handed? {
        guard let connection = slots[worker].connection else { return nil }
        claim(worker, job, at: start)
        slots[worker].isEntrusted = true
        // Locked before the monitor is released, because the answer may arrive before the sender is done. It is free: its
        // last holder unlocked it before the connection became idle.
        connection.sending.lock()
        return Handed(job: job, statement: statement, connection: connection)
    }

    /// Sends the statement.
    ///
    /// If that fails, the reader passes the job to the connection's thread.
    func present(_ handed: Handed) {
        let isSent = handed.connection.present(handed.statement)
        handed.connection.sending.unlock()
        if !isSent { sockets.ring() }
    }

    /// Locked.
    ///
    /// Records the worker's new job.
    func claim(_ worker: Int, _ job: PoolJob, at start: MonotonicTime) {
        slots[worker].job = job
        slots[worker].started = start
        slots[worker].deadline = start + job.timeout
        if slots[worker].deadline < watcherWakesAt { watcherWake.signal() }
    }
}
