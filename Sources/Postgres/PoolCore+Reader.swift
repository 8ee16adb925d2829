/// One thread that takes the answers to directly sent statements (``hand(_:_:)``) of all connections.
///
/// It also notices when the server closes an idle connection.
extension PoolCore {
    /// An entrusted connection with new data.
    private struct Reading {
        let worker: Int
        let job: PoolJob
        let started: MonotonicTime
        let connection: Connection
        let hasHungUp: Bool
    }

    /// The result of a reading.
    private enum Outcome {
        case answered(isFit: Bool)
        /// Refused, broken off or never sent. The connection's thread handles it, because that may block.
        case troubled
    }

    /// Steps that follow after the monitor is unlocked.
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
    /// Data on an idle connection means as a rule that the server closes it, so its thread checks. Data on a connection in
    /// use by its own thread is left to that thread.
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
    /// A sender rings after a failed send, which no socket reports. Reading the connections finds the one concerned.
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

    /// Answers the job; nil while the answer is incomplete.
    private func answer(_ reading: Reading) -> Outcome? {
        let connection = reading.connection
        // The lock waits for the sender.
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
    /// Returns the connection from the reader.
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
        startNext(worker, &follow)
        if reading.hasHungUp { suspect(worker) }
    }

    /// Locked.
    ///
    /// Leaves the connection idle, or gives it the next job.
    private func startNext(_ worker: Int, _ follow: inout Follow) {
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
    /// Makes an idle worker check its connection.
    private func suspect(_ worker: Int) {
        guard machine.workers[worker] == .idle else { return }
        machine.suspect(worker)
        slots[worker].wake.signal()
    }
}
