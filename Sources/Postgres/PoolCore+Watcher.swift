import Synchronization

/// One thread that keeps the time: jobs that wait too long, statements that run too long.
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
    /// Breaks the connection off; the job's thread then learns whether something may have been kept.
    ///
    /// The server is never asked to cancel a statement. A commit that waits for a synchronous standby would stop waiting, and
    /// report success for what a fail-over loses. What is left of the statement ends by `statement_timeout`.
    ///
    /// - Returns: the job to answer because it goes on without its connection.
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

    /// The server has said nothing on another connection since then, and a new one took too long: breaks off all connections
    /// that are older, unless one of them was answered meanwhile.
    func noteSilence(since time: MonotonicTime) {
        monitor.withLock {
            // The last sign of life may be some tenths of a second older than the silence.
            let begin = time + .seconds(1)
            guard answeredAt < begin else { return }
            for worker in slots.indices where slots[worker].connectedAt < begin {
                if slots[worker].job == nil {
                    // Its thread finds out and connects again.
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
