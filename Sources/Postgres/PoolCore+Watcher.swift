import Synchronization

/// One thread that enforces time limits: of jobs in the queue and of running statements.
extension PoolCore {
    private static let tick = Duration.milliseconds(250)

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
        return slot.isBrokenOff ? slot.abandonAt : slot.deadline
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
    /// Breaks off the connection of an overdue job. Its thread then finds out whether a commit is uncertain.
    ///
    /// The server is never asked to cancel a statement. A commit that waits for a synchronous standby would stop waiting and
    /// report success for a change that a fail-over loses. `statement_timeout` ends the statement on the server.
    ///
    /// - Returns: a job to fail, because its thread still hangs after the connection was broken off.
    private func enforceDeadline(of worker: Int, now: MonotonicTime) -> PoolJob? {
        guard let job = slots[worker].job, nextEvent(of: slots[worker]) <= now else { return nil }
        if slots[worker].isBrokenOff {
            slots[worker].isAbandoned = true
            return job
        }
        job.interruption.passDeadline()
        breakOff(worker, now: now)
        return nil
    }

    /// Locked.
    private func breakOff(_ worker: Int, now: MonotonicTime) {
        slots[worker].isBrokenOff = true
        slots[worker].abandonAt = now + configuration.cancelGrace
        slots[worker].socket?.breakOff()
    }

    /// Breaks off all older connections after another one was silent since `time` and a new one timed out.
    ///
    /// Does nothing if the server has answered a job since.
    func noteSilence(since time: MonotonicTime) {
        monitor.withLock {
            // The last answer may be some tenths of a second older than the silence.
            let begin = time + .seconds(1)
            guard answeredAt < begin else { return }
            for worker in slots.indices where slots[worker].connectedAt < begin {
                if slots[worker].job == nil {
                    // Its thread notices and reconnects.
                    slots[worker].socket?.breakOff()
                } else if !slots[worker].isBrokenOff {
                    breakOff(worker, now: .now)
                }
            }
            watcherWake.signal()
        }
    }

    private func report() {
        metrics.state(live: machine.live, busy: machine.busy, queued: machine.queued)
    }
}
