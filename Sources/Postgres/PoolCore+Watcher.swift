import Synchronization

/// One thread that keeps the time: jobs that wait too long, statements that run too long.
extension PoolCore {
    private static let tick = Duration.milliseconds(250)
    /// Long enough for a statement that was stopped to be over as a rule.
    private static let patience = Duration.milliseconds(100)

    func watch() {
        monitor.lock()
        while !machine.hasStopped {
            let now = MonotonicTime.now
            var answers = machine.expire(now: now).map { ($0, PostgresError.timedOut) }
            for worker in slots.indices {
                if let job = enforceDeadline(of: worker, now: now) {
                    answers.append((job, .connectionLost(maybeCommitted: true)))
                }
            }
            report()
            if answers.isEmpty {
                watcherWakesAt = min(now + Self.tick, machine.nextExpiry, slots.map(nextEvent).min() ?? .never)
                watcherWake.wait(monitor, until: watcherWakesAt)
                watcherWakesAt = .never
            } else {
                give(answers)
            }
        }
        monitor.unlock()
        finish()
    }

    private func nextEvent(of slot: Slot) -> MonotonicTime {
        guard slot.job != nil, !slot.isAbandoned else { return .never }
        return slot.cancelSent ? min(slot.abandonAt, slot.cancelAgainAt) : slot.deadline
    }

    /// Locked, but not while answering.
    private func give(_ answers: [(PoolJob, PostgresError)]) {
        monitor.unlock()
        for (job, error) in answers {
            metrics.count(error)
            job.fail(error)
        }
        monitor.lock()
    }

    /// Locked.
    ///
    /// First asks the server to stop; when that doesn't help in time, breaks the connection off.
    ///
    /// - Returns: the job to answer because its thread may hang for long.
    private func enforceDeadline(of worker: Int, now: MonotonicTime) -> PoolJob? {
        guard let job = slots[worker].job, nextEvent(of: slots[worker]) <= now else { return nil }
        if !slots[worker].cancelSent {
            job.interruption.passDeadline()
            sendCancel(worker)
            return nil
        }
        guard slots[worker].abandonAt <= now else {
            startCancel(worker)
            return nil
        }
        slots[worker].isAbandoned = true
        slots[worker].socket?.breakOff()
        return job
    }

    /// Locked.
    ///
    /// Has the server stop what the worker's connection is doing, and asks again until it has.
    func sendCancel(_ worker: Int) {
        guard !slots[worker].cancelSent, slots[worker].cancel != nil,
            slots[worker].connection?.isSending.load(ordering: .sequentiallyConsistent) != true
        else { return }
        slots[worker].cancelSent = true
        slots[worker].abandonAt = .now + configuration.cancelGrace
        if slots[worker].abandonAt < watcherWakesAt { watcherWake.signal() }
        startCancel(worker)
    }

    /// Locked.
    ///
    /// Asking takes a connection and blocks for as long as the server likes, so it gets a thread of its own, at most one for
    /// each worker.
    private func startCancel(_ worker: Int) {
        guard let handle = slots[worker].cancel else { return }
        cancelNumber += 1
        let number = cancelNumber
        slots[worker].cancelInFlight = number
        slots[worker].cancelAgainAt = .never
        let isStarted = DedicatedThread.start(name: "pg-cancel") {
            handle.cancel()
            self.monitor.withLock { self.cancelEnded(worker, number) }
        }
        if !isStarted { slots[worker].cancelInFlight = nil }
    }

    /// Locked.
    private func cancelEnded(_ worker: Int, _ number: Int) {
        guard slots[worker].cancelInFlight == number else { return }
        slots[worker].cancelInFlight = nil
        slots[worker].cancelAgainAt = .now + Self.patience
        if slots[worker].cancelAgainAt < watcherWakesAt { watcherWake.signal() }
        slots[worker].wake.signal()
    }

    private func report() {
        metrics.state(live: machine.live, busy: machine.busy, queued: machine.queued)
    }
}
