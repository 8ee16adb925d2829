import Logging

/// What each connection's own thread does.
extension PoolCore {
    func work(_ worker: Int) {
        var connection: Connection?
        monitor.lock()
        loop: while true {
            if let job = slots[worker].handed {
                slots[worker].handed = nil
                run(job, worker, &connection, from: job.submitted)
                continue
            }
            switch machine.next(worker, now: .now) {
            case .run(let job, let wake):
                let start = MonotonicTime.now
                claim(worker, job, at: start)
                run(job, worker, &connection, from: start, waking: obey(wake))
            case .connect:
                connect(worker, &connection)
            case .check:
                check(worker, &connection)
            case .wait(let time):
                rest(worker, connection, until: time)
            case .stop:
                break loop
            }
        }
        slots[worker].socket = -1
        slots[worker].connection = nil
        watcherWake.signal()
        monitor.unlock()
    }

    /// Locked, but not while the job runs.
    private func run(
        _ job: PoolJob, _ worker: Int, _ connection: inout Connection?, from start: MonotonicTime,
        waking other: Alarm? = nil
    ) {
        guard let open = connection else { return }
        monitor.unlock()
        other?.signal()

        let isUnderWay = open.sending.withLock { open.isPresented }
        let sentBefore = open.statementsSent - (isUnderWay ? 1 : 0)
        let isDead = !isUnderWay && open.handle.hasDied()
        if !isDead { job.run(on: open) }
        let isFit = !isDead && open.reset()
        metrics.finished(job, start: start, statements: open.statementsSent - sentBefore)

        monitor.lock()
        let isClean = settle(worker, open) && isFit
        counts.statements += open.statementsSent - sentBefore
        if isDead {
            disconnect(worker, &connection) { machine.giveBack(job, expires: job.expires, from: worker) }
        } else if !isClean {
            counts.lost += 1
            disconnect(worker, &connection) { machine.lost(worker) }
        }
        counts.finished += isDead ? 0 : 1
    }

    /// Locked, but not while it talks to the server.
    ///
    /// Ends the job's claim on the slot.
    ///
    /// A cancel request that is still under way would hit the next statement, so it is waited for and then absorbed.
    ///
    /// - Returns: false when the connection can't be used again.
    private func settle(_ worker: Int, _ connection: Connection) -> Bool {
        slots[worker].job = nil
        slots[worker].deadline = .never
        slots[worker].abandonAt = .never
        slots[worker].cancelAgainAt = .never
        guard slots[worker].cancelSent else { return true }
        let limit = MonotonicTime.now + configuration.cancelGrace / 5
        while slots[worker].cancelInFlight != nil, MonotonicTime.now < limit {
            slots[worker].wake.wait(monitor, until: limit)
        }
        let isUsable = slots[worker].cancelInFlight == nil && !slots[worker].isAbandoned
        slots[worker].cancelSent = false
        slots[worker].cancelInFlight = nil
        slots[worker].isAbandoned = false
        guard isUsable else { return false }
        monitor.unlock()
        defer { monitor.lock() }
        return connection.absorbCancel()
    }

    /// Locked, but not while connecting.
    private func connect(_ worker: Int, _ connection: inout Connection?) {
        counts.attempts += 1
        monitor.unlock()
        let result = Result { () throws(ConnectFailure) in try Connection(configuration) }
        monitor.lock()
        switch result {
        case .success(let open):
            connection = open
            slots[worker].connection = open
            slots[worker].socket = open.handle.socket
            slots[worker].cancel = CancelHandle(open.handle)
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

    /// Locked, but not while it looks.
    private func check(_ worker: Int, _ connection: inout Connection?) {
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
    private func disconnect(
        _ worker: Int, _ connection: inout Connection?, tell: () -> (wake: [Int], failed: [PoolJob])
    ) {
        slots[worker].socket = -1
        slots[worker].connection = nil
        slots[worker].cancel = nil
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

    /// Speaks up at the first failure and then every sixteenth, about twice a minute.
    private func noteFailure(_ failure: ConnectFailure, now: MonotonicTime) {
        if downSince == nil { downSince = now }
        guard machine.failures % 16 == 1 else { return }
        logger.warning("can't connect to the database", metadata: ["reason": "\(failure.message)"])
    }
}
