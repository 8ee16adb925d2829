/// The thread of each connection.
extension PoolCore {
    func work(_ worker: Int) {
        var connection: Connection?
        monitor.lock()
        loop: while true {
            if slots[worker].isEntrusted {
                slots[worker].wake.wait(monitor, until: .never)
                continue
            }
            if let job = slots[worker].handed {
                slots[worker].handed = nil
                run(job, worker, &connection)
                continue
            }
            if slots[worker].isUnsettled {
                slots[worker].isUnsettled = false
                conclude(worker, &connection)
                continue
            }
            switch machine.next(worker, now: .now) {
            case .run(let job, let wake):
                claim(worker, job, at: .now)
                run(job, worker, &connection, waking: obey(wake))
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
        slots[worker].socket = nil
        slots[worker].connection = nil
        watcherWake.signal()
        monitor.unlock()
    }

    /// Locked, but not while the job runs.
    private func run(
        _ job: PoolJob, _ worker: Int, _ connection: inout Connection?, waking other: Monitor.Condition? = nil
    ) {
        guard let open = connection else { return }
        let start = slots[worker].started
        monitor.unlock()
        other?.signal()

        let isUnderWay = open.isPresented
        let sentBefore = open.statementsSent - (isUnderWay ? 1 : 0)
        let isDead = !isUnderWay && open.handle.hasDied()
        if !isDead { job.run(on: open) }
        let statements = open.statementsSent - sentBefore
        metrics.finished(job, start: start, statements: statements)

        monitor.lock()
        if isDead {
            _ = settle(worker)
            disconnect(worker, &connection) { machine.giveBack(job, expires: job.expires, from: worker) }
        } else {
            count(statements)
            if !open.handle.isBroken { answeredAt = .now }
            conclude(worker, &connection)
        }
    }

    /// Locked, but not while communicating with the server.
    ///
    /// Resets the connection after a job, or closes it.
    private func conclude(_ worker: Int, _ connection: inout Connection?) {
        guard let open = connection else { return }
        noteUncertain(open, isBrokenOff: slots[worker].isBrokenOff)
        monitor.unlock()
        let isFit = open.reset()
        monitor.lock()
        guard !(settle(worker) && isFit) else { return }
        counts.lost += 1
        disconnect(worker, &connection) { machine.lost(worker) }
    }

    /// Locked.
    ///
    /// Records a commit with an unknown outcome.
    private func noteUncertain(_ connection: Connection, isBrokenOff: Bool) {
        guard connection.handle.hasUnreplicatedCommit || (isBrokenOff && connection.mayHaveCommitted) else { return }
        commitsMayWait = true
        writes.fail(.connectionLost(maybeCommitted: true))
    }

    /// Locked.
    func count(_ statements: Int) {
        counts.statements += statements
        counts.finished += 1
    }

    /// Locked, but not while it waits.
    ///
    /// The reader notices if the server hangs up during the wait. This looks for data that arrived earlier.
    private func rest(_ worker: Int, _ connection: Connection?, until time: MonotonicTime) {
        if let connection, machine.workers[worker] == .idle, SocketWatch.isReadable(connection.handle.socket) {
            machine.suspect(worker)
        } else {
            slots[worker].wake.wait(monitor, until: time)
        }
    }

    /// Locked.
    ///
    /// Clears the job from the slot.
    ///
    /// - Returns: false when the connection cannot be used again.
    private func settle(_ worker: Int) -> Bool {
        let isUsable = !slots[worker].isBrokenOff
        slots[worker].job = nil
        slots[worker].deadline = .never
        slots[worker].abandonAt = .never
        slots[worker].isBrokenOff = false
        slots[worker].isAbandoned = false
        return isUsable
    }
}
