import Synchronization

/// The short way of a job that begins with one statement: from whoever asks to a connection that rests.
///
/// The usual way wakes the connection's thread twice, for the job and for the server's answer. Here whoever asks sends the
/// statement itself, and the thread, which waits for its socket whenever it rests, wakes for the answer alone.
extension PoolCore {
    /// Sends the job's statement from here, where a connection rests: its thread needs to wake for the answer only.
    ///
    /// - Returns: false where the job has to go the usual way.
    func hand(_ job: PoolJob, _ statement: SQL) -> Bool {
        let taken: (connection: Connection?, wake: Alarm)? = monitor.withLock {
            guard job.interruption.error == nil, let worker = machine.assign(job) else { return nil }
            claim(worker, job, at: job.submitted)
            slots[worker].handed = job
            // Before the monitor is free: the worker may wake by chance, and must find the connection taken.
            slots[worker].connection?.sending.lock()
            slots[worker].connection?.isSending.store(true, ordering: .sequentiallyConsistent)
            return (slots[worker].connection, slots[worker].wake)
        }
        guard let taken else { return false }
        let isSent = taken.connection?.present(statement) ?? false
        taken.connection?.isSending.store(false, ordering: .sequentiallyConsistent)
        taken.connection?.sending.unlock()
        if !isSent { taken.wake.signal() }
        // Who was told to stop meanwhile left the cancel request to us; who is told from now on sees that it was sent.
        if job.interruption.error != nil { sendLateCancel(job) }
        return true
    }

    private func sendLateCancel(_ job: PoolJob) {
        monitor.withLock {
            if let worker = slots.firstIndex(where: { $0.job === job }) { sendCancel(worker) }
        }
    }

    /// Locked.
    ///
    /// Notes whose job the worker has from now on.
    func claim(_ worker: Int, _ job: PoolJob, at start: MonotonicTime) {
        slots[worker].job = job
        slots[worker].deadline = start + job.timeout
        if slots[worker].deadline < watcherWakesAt { watcherWake.signal() }
    }

    /// Locked, but not while it waits.
    ///
    /// Whoever has a connection and nothing to do hears at once when the server hangs up.
    func rest(_ worker: Int, _ connection: Connection?, until time: MonotonicTime) {
        guard let connection, machine.workers[worker] == .idle else {
            slots[worker].wake.wait(monitor, until: time)
            return
        }
        if slots[worker].wake.wait(monitor, orFor: connection.handle.socket) { machine.suspect(worker) }
    }
}
