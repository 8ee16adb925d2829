/// One thread that takes the answers to what was handed to the connections (``hand(_:_:)``), as many as have come at once,
/// and hears when the server hangs up on a connection that rests.
extension PoolCore {
    /// An entrusted connection about which there is news.
    private struct Reading {
        let worker: Int
        let job: PoolJob
        let started: MonotonicTime
        let connection: Connection
        let hasHungUp: Bool
    }

    /// What came of it.
    private enum Outcome {
        case answered(isFit: Bool)
        /// Refused, broken off or never sent: what that takes may block, so it is for the connection's thread.
        case troubled
    }

    /// What to do once the monitor is free.
    private struct Follow {
        var wake: [Monitor.Condition] = []
        var present: [Handed] = []
    }

    func readAnswers() {
        while true {
            let (arrivals, isRung) = sockets.wait()
            monitor.lock()
            if machine.hasStopped { return monitor.unlock() }
            var readings = arrivals.compactMap { look($0.worker, hasHungUp: $0.hasHungUp) }
            if isRung { readings += unsent(besides: arrivals) }
            monitor.unlock()
            read(readings)
        }
    }

    /// Locked.
    ///
    /// What a connection that rests says is that it is dying, as a rule; its thread finds out. What one says that its own
    /// thread has is for that thread.
    private func look(_ worker: Int, hasHungUp: Bool) -> Reading? {
        guard slots[worker].isEntrusted, let job = slots[worker].job, let connection = slots[worker].connection else {
            suspect(worker)
            return nil
        }
        return Reading(
            worker: worker, job: job, started: slots[worker].started, connection: connection, hasHungUp: hasHungUp)
    }

    /// Locked.
    ///
    /// Who rings could not send what it was entrusted with, and no socket says so. Which it is shows when they are read.
    private func unsent(besides arrivals: [SocketSet.Arrival]) -> [Reading] {
        let others = slots.indices.filter { worker in
            slots[worker].isEntrusted && !arrivals.contains { $0.worker == worker }
        }
        return others.compactMap { look($0, hasHungUp: false) }
    }

    private func read(_ readings: [Reading]) {
        let ended = readings.compactMap { reading in answer(reading).map { (reading, $0) } }
        guard !ended.isEmpty else { return }
        var follow = Follow()
        monitor.withLock {
            for (reading, outcome) in ended { giveBack(reading, outcome, &follow) }
        }
        for condition in follow.wake { condition.signal() }
        for handed in follow.present { present(handed) }
    }

    /// Gives the job its answer; nil while more of it is to come.
    private func answer(_ reading: Reading) -> Outcome? {
        let connection = reading.connection
        // Whoever sends is done when it lets go.
        switch connection.sending.withLock({ connection.takeArrival() }) {
        case .incomplete: return nil
        case .trouble: return .troubled
        case .answer:
            reading.job.run(on: connection)
            metrics.finished(reading.job, start: reading.started, statements: 1)
            return .answered(isFit: !connection.handle.isInTransaction && connection.reset())
        }
    }

    /// Locked.
    ///
    /// Ends the reader's claim on a connection.
    private func giveBack(_ reading: Reading, _ outcome: Outcome, _ follow: inout Follow) {
        let worker = reading.worker
        slots[worker].isEntrusted = false
        guard case .answered(let isFit) = outcome else {
            slots[worker].handed = reading.job
            return follow.wake.append(slots[worker].wake)
        }
        count(1)
        answeredAt = .now
        guard isFit, !slots[worker].isBrokenOff, !machine.isClosing else {
            slots[worker].isUnsettled = true
            return follow.wake.append(slots[worker].wake)
        }
        slots[worker].job = nil
        slots[worker].deadline = .never
        goOn(worker, &follow)
        if reading.hasHungUp { suspect(worker) }
    }

    /// Locked.
    ///
    /// Lets the connection rest, or gives it what waits.
    private func goOn(_ worker: Int, _ follow: inout Follow) {
        let now = MonotonicTime.now
        guard case .run(let job, let wake) = machine.next(worker, now: now) else { return }
        if let other = obey(wake) { follow.wake.append(other) }
        if let statement = job.statement, let handed = entrust(job, statement, worker, at: now) {
            follow.present.append(handed)
        } else {
            claim(worker, job, at: now)
            slots[worker].handed = job
            follow.wake.append(slots[worker].wake)
        }
    }

    /// Locked.
    ///
    /// Has a worker that rests look at its connection.
    private func suspect(_ worker: Int) {
        guard machine.workers[worker] == .idle else { return }
        machine.suspect(worker)
        slots[worker].wake.signal()
    }
}
