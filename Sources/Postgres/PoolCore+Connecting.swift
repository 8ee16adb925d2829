import Logging

/// Opens, checks and closes the connections of workers.
extension PoolCore {
    /// Locked, but not while connecting.
    func connect(_ worker: Int, _ connection: inout Connection?) {
        counts.attempts += 1
        let (start, commitsMayWait) = (MonotonicTime.now, commitsMayWait)
        monitor.unlock()
        let result = Result { () throws(ConnectFailure) in try open(worker, checksCommits: commitsMayWait) }
        monitor.lock()
        switch result {
        case .success(let (open, socket)):
            connection = open
            slots[worker].connection = open
            slots[worker].socket = socket
            slots[worker].connectedAt = start
            if commitsMayWait { self.commitsMayWait = false }
            machine.connected(worker)
            counts.connected += 1
            noteUp()
        case .failure(let failure):
            let now = MonotonicTime.now
            let jobs = machine.connectFailed(worker, now: now, chance: .random(in: 0..<1))
            noteFailure(failure, now: now)
            refuse(jobs, with: machine.unavailable(now: now))
        }
    }

    /// A connection that the reader cannot watch would never deliver its answer, so it is refused.
    ///
    /// While commits wait for a standby, no connection replaces one that was given up. Otherwise waiting commits would use up
    /// the server's connections.
    private func open(_ worker: Int, checksCommits: Bool) throws(ConnectFailure) -> (Connection, SecondSocket) {
        let open = try Connection(configuration)
        if checksCommits, (try? open.findsWaitingCommits()) != false {
            throw .setup("commits wait for a synchronous standby")
        }
        guard !sockets.isUsable || sockets.add(open.handle.socket, of: worker),
            let socket = SecondSocket(of: open.handle.socket)
        else { throw .outOfMemory }
        return (open, socket)
    }

    /// Locked, but not while checking.
    func check(_ worker: Int, _ connection: inout Connection?) {
        monitor.unlock()
        let isDead = connection?.handle.hasDied() ?? true
        monitor.lock()
        if isDead {
            disconnect(worker, &connection) { machine.lost(worker) }
        } else {
            machine.found(worker)
        }
    }

    /// Locked, but not while closing.
    func disconnect(
        _ worker: Int, _ connection: inout Connection?, tell: () -> (wake: [Int], failed: [PoolJob])
    ) {
        slots[worker].socket = nil
        slots[worker].connection = nil
        let (wake, failed) = tell()
        for other in wake { slots[other].wake.signal() }
        refuse(failed, with: machine.unavailable(now: .now))
        monitor.unlock()
        connection = nil
        monitor.lock()
    }

    /// Locked, but not while answering.
    private func refuse(_ jobs: [PoolJob], with error: PostgresError) {
        guard !jobs.isEmpty else { return }
        monitor.unlock()
        for job in jobs {
            metrics.count(error)
            job.fail(error)
        }
        monitor.lock()
    }

    private func noteUp() {
        guard let since = downSince else { return }
        downSince = nil
        let seconds = (MonotonicTime.now - since).nanoseconds / 1_000_000_000
        logger.notice("the database is back", metadata: ["down_seconds": "\(seconds)"])
    }

    /// Logs the first failure and then every sixteenth, about twice a minute.
    private func noteFailure(_ failure: ConnectFailure, now: MonotonicTime) {
        if downSince == nil { downSince = now }
        guard machine.failures % 16 == 1 else { return }
        logger.warning("can't connect to the database", metadata: ["reason": "\(failure.message)"])
    }
}
