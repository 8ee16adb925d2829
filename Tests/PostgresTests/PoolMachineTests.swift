import Testing

@testable import Postgres

/// Dialogues with the machine: an event, and the resulting orders.
@Suite struct PoolMachineTests {
    final class Job {}
    typealias Machine = PoolMachine<Job>

    let start = MonotonicTime(nanoseconds: 0)

    private func after(_ time: Duration) -> MonotonicTime { start + time }

    /// The order as text, so that a dialogue reads line by line.
    private func say(_ order: Machine.Order) -> String {
        switch order {
        case .run(_, let wake): "run, wake \(say(wake))"
        case .connect: "connect"
        case .check: "check"
        case .wait(until: .never): "wait"
        case .wait(let time): "wait until \(time.nanoseconds / 1_000_000)"
        case .stop: "stop"
        }
    }

    private func say(_ wake: Machine.Wake) -> String {
        switch wake {
        case .nobody: "nobody"
        case .worker(let worker): "\(worker)"
        case .start(let worker): "new \(worker)"
        }
    }

    private func submit(_ machine: inout Machine, _ job: Job = Job(), at time: Duration = .zero) -> String {
        switch machine.submit(job, now: after(time), expires: after(time + .seconds(2))) {
        case .queued(let wake): "queued, wake \(say(wake))"
        case .refused(let error): "\(error)"
        }
    }

    private func next(_ machine: inout Machine, _ worker: Int, at time: Duration = .zero) -> String {
        say(machine.next(worker, now: after(time)))
    }

    /// A machine with one idle, connected worker.
    private func connected(workers: Int = 4, limit: Int = 3) -> Machine {
        var machine = Machine(workers: workers, queueLimit: limit)
        _ = machine.startWorker()
        #expect(next(&machine, 0) == "connect")
        machine.connected(0)
        #expect(next(&machine, 0) == "wait")
        return machine
    }

    @Test("the first connection is opened before any request")
    func eager() {
        let machine = connected()
        #expect(machine.live == 1)
        #expect(machine.isUp)
    }

    @Test("an idle worker takes the job, and no thread is started")
    func idleWorker() {
        var machine = connected()
        #expect(submit(&machine) == "queued, wake 0")
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(next(&machine, 0) == "wait")
        #expect(machine.workers == [.idle, .absent, .absent, .absent])
    }

    @Test("an idle worker may take a job directly; without one the job has to be submitted")
    func assigned() {
        var machine = connected(workers: 2)
        #expect(machine.assign(Job()) == 0)
        #expect(machine.workers == [.busy, .absent])
        #expect(machine.assign(Job()) == nil)
        #expect(submit(&machine) == "queued, wake new 1")
        #expect(machine.assign(Job()) == nil)
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(next(&machine, 0) == "wait")
        _ = machine.close()
        #expect(machine.assign(Job()) == nil)
    }

    @Test("an idle worker with incoming data checks its connection before it gets a job")
    func spoken() {
        var machine = connected(workers: 1)
        machine.suspect(0)
        #expect(machine.assign(Job()) == nil)
        #expect(submit(&machine) == "queued, wake nobody")
        #expect(next(&machine, 0) == "check")
        machine.found(0)
        #expect(next(&machine, 0) == "run, wake nobody")
        // A working caller notices it on its own.
        machine.suspect(0)
        #expect(machine.workers == [.busy])
    }

    @Test("a job without an idle worker opens another connection, up to the maximum")
    func growth() {
        var machine = connected(workers: 2)
        #expect(submit(&machine) == "queued, wake 0")
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(submit(&machine) == "queued, wake new 1")
        #expect(next(&machine, 1) == "connect")
        machine.connected(1)
        #expect(next(&machine, 1) == "run, wake nobody")
        #expect(submit(&machine) == "queued, wake nobody")
        #expect(machine.queued == 1)
    }

    @Test("a full queue refuses immediately")
    func full() {
        var machine = connected(workers: 1, limit: 2)
        #expect(submit(&machine) == "queued, wake 0")
        #expect(submit(&machine) == "queued, wake nobody")
        #expect(submit(&machine) == "\(PostgresError.overloaded)")
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(submit(&machine) == "queued, wake nobody")
    }

    @Test("jobs run in order of arrival, and a withdrawn one doesn't run")
    func order() {
        var machine = connected(workers: 1)
        let jobs = [Job(), Job(), Job()]
        for job in jobs { _ = submit(&machine, job) }
        let withdrawals = [machine.withdraw(jobs[1]), machine.withdraw(jobs[1])]
        #expect(withdrawals == [true, false])
        for expected in [jobs[0], jobs[2]] {
            guard case .run(let job, _) = machine.next(0, now: start) else {
                Issue.record("nothing to run")
                return
            }
            #expect(job === expected)
        }
    }

    @Test("a job that waited too long is removed, later ones stay")
    func expiry() {
        var machine = connected(workers: 1)
        let early = Job()
        _ = submit(&machine, early)
        _ = submit(&machine, at: .seconds(1))
        let tooEarly = machine.expire(now: after(.seconds(1)))
        #expect(tooEarly.isEmpty)
        let expired = machine.expire(now: after(.seconds(2)))
        #expect(expired.count == 1 && expired.first === early)
        #expect(machine.queued == 1)
    }

    @Test("A-05: without a connection, queued jobs fail and new ones are refused")
    func down() {
        var machine = Machine(workers: 4, queueLimit: 3)
        _ = machine.startWorker()
        #expect(next(&machine, 0) == "connect")
        let job = Job()
        #expect(submit(&machine, job) == "queued, wake nobody")
        let failed = machine.connectFailed(0, now: start, chance: 1)
        #expect(failed.count == 1 && failed.first === job)
        #expect(machine.isDown)
        #expect(submit(&machine) == "\(PostgresError.unavailable(retryAfter: 1))")
        #expect(machine.workers == [.unconnected, .absent, .absent, .absent])
    }

    @Test("A-05: while the database is down one worker retries, with growing pauses, and the others wait for it")
    func oneProber() {
        var machine = connected(workers: 2)
        _ = submit(&machine)
        _ = next(&machine, 0)
        _ = submit(&machine)
        _ = next(&machine, 1)
        machine.connected(1)
        _ = next(&machine, 1)

        let failed = machine.lost(0).failed + machine.lost(1).failed
        #expect(failed.isEmpty)
        #expect(next(&machine, 0) == "connect")
        #expect(next(&machine, 1) == "wait")
        _ = machine.connectFailed(0, now: start, chance: 1)
        #expect(next(&machine, 0) == "wait until 50")
        #expect(next(&machine, 1) == "wait")
        #expect(next(&machine, 0, at: .milliseconds(50)) == "connect")
        _ = machine.connectFailed(0, now: after(.milliseconds(50)), chance: 1)
        #expect(next(&machine, 0, at: .milliseconds(50)) == "wait until 150")
        #expect(next(&machine, 0, at: .milliseconds(150)) == "connect")
        #expect(submit(&machine, at: .milliseconds(150)) == "\(PostgresError.unavailable(retryAfter: 1))")

        machine.connected(0)
        #expect(!machine.isDown)
        #expect(submit(&machine, at: .milliseconds(150)) == "queued, wake 1")
        #expect(next(&machine, 0, at: .milliseconds(150)) == "run, wake nobody")
    }

    @Test("a lost connection makes idle workers check their own before they work")
    func suspicion() {
        var machine = connected(workers: 2)
        _ = submit(&machine)
        _ = next(&machine, 0)
        _ = submit(&machine)
        _ = next(&machine, 1)
        machine.connected(1)
        #expect(next(&machine, 1) == "run, wake nobody")
        #expect(next(&machine, 0) == "wait")

        let (wake, failed) = machine.lost(1)
        #expect(wake == [0])
        #expect(failed.isEmpty)
        #expect(submit(&machine) == "queued, wake 1")
        #expect(next(&machine, 0) == "check")
        machine.found(0)
        #expect(next(&machine, 0) == "run, wake nobody")
    }

    @Test("a job with a dead connection before its start is the next to run")
    func giveBack() {
        var machine = connected(workers: 1)
        let first = Job()
        _ = submit(&machine, first)
        _ = next(&machine, 0)
        _ = submit(&machine)
        let failed = machine.giveBack(first, expires: after(.seconds(2)), from: 0).failed
        #expect(failed.isEmpty)
        #expect(next(&machine, 0) == "connect")
        machine.connected(0)
        guard case .run(let job, _) = machine.next(0, now: start) else {
            Issue.record("nothing to run")
            return
        }
        #expect(job === first)
    }

    @Test("a server without free connections is retried with pauses while the others serve")
    func noMoreConnections() {
        var machine = connected(workers: 2)
        _ = submit(&machine)
        _ = next(&machine, 0)
        _ = submit(&machine)
        #expect(next(&machine, 1) == "connect")
        let failed = machine.connectFailed(1, now: start, chance: 1)
        #expect(failed.isEmpty)
        #expect(!machine.isDown)
        #expect(next(&machine, 1) == "wait until 50")
        #expect(submit(&machine) == "queued, wake nobody")
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(next(&machine, 1, at: .milliseconds(50)) == "connect")
    }

    @Test("closing finishes the queue, refuses new jobs and stops all workers")
    func closing() {
        var machine = connected(workers: 2)
        _ = submit(&machine)
        _ = next(&machine, 0)
        _ = submit(&machine)
        let woken = machine.close()
        #expect(woken == [1])
        #expect(submit(&machine) == "\(PostgresError.closed)")
        #expect(next(&machine, 1) == "stop")
        #expect(next(&machine, 0) == "run, wake nobody")
        #expect(!machine.hasStopped)
        #expect(next(&machine, 0) == "stop")
        #expect(machine.hasStopped)
        #expect(machine.live == 0)
    }
}
