/// The short way of a job that is one statement: from whoever asks to a connection that rests.
///
/// The usual way wakes the connection's thread twice, for the job and for the server's answer. Here whoever asks sends the
/// statement itself, and one thread takes the answers of all connections (``readAnswers()``).
extension PoolCore {
    /// A job whose statement is about to be sent on its worker's connection.
    struct Handed {
        let job: PoolJob
        let statement: SQL
        let connection: Connection
    }

    /// Sends the job's statement from here, where a connection rests.
    ///
    /// - Returns: false where the job has to go the usual way.
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
    /// Takes the connection away from its thread: it is the sender's until it lets go of ``Connection/sending``, and then the
    /// reader's until it gives it back.
    func entrust(_ job: PoolJob, _ statement: SQL, _ worker: Int, at start: MonotonicTime) -> Handed? {
        guard let connection = slots[worker].connection else { return nil }
        claim(worker, job, at: start)
        slots[worker].isEntrusted = true
        // Before the monitor is free: an answer may be there before who sends says that it has sent. Nobody holds it: the
        // last one who did let go before the connection came to rest.
        connection.sending.lock()
        return Handed(job: job, statement: statement, connection: connection)
    }

    /// Sends what was entrusted; what can't be sent from here goes to the connection's thread, by way of the reader.
    func present(_ handed: Handed) {
        let isSent = handed.connection.present(handed.statement)
        handed.connection.sending.unlock()
        if !isSent { sockets.ring() }
    }

    /// Locked.
    ///
    /// Notes whose job the worker has from now on.
    func claim(_ worker: Int, _ job: PoolJob, at start: MonotonicTime) {
        slots[worker].job = job
        slots[worker].started = start
        slots[worker].deadline = start + job.timeout
        if slots[worker].deadline < watcherWakesAt { watcherWake.signal() }
    }
}
