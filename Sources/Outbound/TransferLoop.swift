import CCurl
import Glibc
import Synchronization

/// The only thread that runs libcurl for a client.
///
/// Callers leave commands in the inbox and wait for their continuation, which the thread resumes exactly once. The
/// thread starts with the first transfer.
package final class TransferLoop: Sendable {
    private let name: String
    private let maximumInFlight: Int
    /// False if the system cannot start a thread.
    private let start: @Sendable (TransferLoop) -> Bool
    private let inbox = Mutex(TransferInbox())

    /// - Parameter name: of the thread, at most 15 bytes.
    package init(
        name: String, maximumInFlight: Int,
        start: @escaping @Sendable (TransferLoop) -> Bool = { $0.startThread() }
    ) {
        (self.name, self.maximumInFlight, self.start) = (name, maximumInFlight, start)
    }

    /// Runs a transfer to its end; cancelling the task removes it from the network.
    package func run(_ plan: any TransferPlan) async -> TransferOutcome {
        let ticket = TransferTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(TransferJob(plan: plan, ticket: ticket, continuation: continuation))
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .releasing)
            inbox.withLock { inbox in
                guard inbox.phase == .running else { return }
                inbox.commands.append(.cancel(ticket))
                inbox.wake()
            }
        }
    }

    /// Lets the thread end without waiting for it; transfers under way end as `.closed`.
    package func stop() {
        inbox.withLock { inbox in
            switch inbox.phase {
            case .idle: inbox.phase = .stopped
            case .running:
                inbox.phase = .stopping
                inbox.wake()
            case .stopping, .stopped: break
            }
        }
    }

    /// Ends the thread and waits for its end.
    package func shutdown() async {
        stop()
        await withCheckedContinuation { continuation in
            let isStopped = inbox.withLock { inbox in
                if inbox.phase != .stopped { inbox.waiters.append(continuation) }
                return inbox.phase == .stopped
            }
            if isStopped { continuation.resume() }
        }
    }

    private func submit(_ job: TransferJob) {
        let refusal: TransferOutcome.End? = inbox.withLock { inbox in
            if inbox.phase == .idle, start(self) { inbox.phase = .running }
            // Without a thread now, the next transfer tries to start one again.
            guard inbox.phase != .idle else { return .overloaded }
            guard inbox.phase == .running else { return .closed }
            guard inbox.inFlight < maximumInFlight else { return .overloaded }
            inbox.inFlight += 1
            inbox.commands.append(.start(job))
            inbox.wake()
            return nil
        }
        if let refusal { job.continuation.resume(returning: TransferOutcome(end: refusal)) }
    }
}

// MARK: - The thread

extension TransferLoop {
    func startThread() -> Bool {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let code = unsafe pthread_create(&thread, nil, { unsafe runTransferLoop($0) }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate func runThread() {
        blockSignals()
        unsafe ccurl_name_thread(name)
        if let engine = TransferEngine(maximumConnections: maximumInFlight) {
            withExtendedLifetime(engine) {
                let wakeTarget = engine.wakeTarget
                inbox.withLock { $0.wakeTarget = wakeTarget }
                drive(engine)
                inbox.withLock { $0.wakeTarget = nil }
            }
        }
        finish()
    }

    private func drive(_ engine: TransferEngine) {
        while let commands = nextCommands() {
            for command in commands {
                switch command {
                case .start(let job): engine.start(job)
                case .cancel(let ticket): engine.cancel(ticket)
                }
            }
            engine.perform()
            if answer(engine) { engine.wait() }
        }
        engine.finishAll(.closed)
        _ = answer(engine)
    }

    /// Nil when the loop must end.
    private func nextCommands() -> [TransferInbox.Command]? {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            guard inbox.phase == .running else { return nil }
            let commands = inbox.commands
            inbox.commands.removeAll(keepingCapacity: true)
            return commands
        }
    }

    /// Answers ended transfers, and frees their places before any caller resumes.
    ///
    /// True when no command arrived in the meantime: from then on, the next command wakes the loop.
    private func answer(_ engine: TransferEngine) -> Bool {
        let answered = engine.takeAnswered()
        let mayWait = inbox.withLock { inbox in
            inbox.inFlight -= answered.count
            inbox.isAsleep = inbox.commands.isEmpty && inbox.phase == .running
            return inbox.isAsleep
        }
        for (continuation, outcome) in answered { continuation.resume(returning: outcome) }
        return mayWait
    }

    /// Answers unstarted transfers and the callers that wait for the end.
    private func finish() {
        let (commands, waiters) = inbox.withLock { inbox in
            defer { (inbox.commands, inbox.waiters) = ([], []) }
            inbox.phase = .stopped
            return (inbox.commands, inbox.waiters)
        }
        for case .start(let job) in commands { job.continuation.resume(returning: TransferOutcome(end: .closed)) }
        for waiter in waiters { waiter.resume() }
    }

    /// Leaves signals to other threads.
    ///
    /// With SIGPIPE blocked here, writing to a closed connection is an error, not the end of the process.
    private func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}

private func runTransferLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().runThread()
    return nil
}
