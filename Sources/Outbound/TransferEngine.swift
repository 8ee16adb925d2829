import CCurl
import Synchronization

/// Owns the multi handle and every easy handle, on the loop's thread only.
@safe final class TransferEngine {
    private struct Active {
        let handle: EasyHandle
        let job: TransferJob
    }

    private let multi: UnsafeMutableRawPointer
    private var active: [Int: Active] = [:]
    private var identifiers: [ObjectIdentifier: Int] = [:]
    private var pool: [EasyHandle] = []
    private var lastID = 0
    private var answered: [(continuation: CheckedContinuation<TransferOutcome, Never>, outcome: TransferOutcome)] = []

    init?(maximumConnections: Int) {
        _ = TransferEngine.library
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumConnections)
        unsafe ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    deinit {
        for transfer in active.values { unsafe transfer.handle.remove(from: multi) }
        unsafe curl_multi_cleanup(multi)
    }

    /// For the inbox, which must return it before the engine ends.
    var wakeTarget: WakeTarget {
        unsafe WakeTarget(multi)
    }

    func start(_ job: TransferJob) {
        guard !job.ticket.isCancelled.load(ordering: .acquiring) else { return answer(job, .cancelled) }
        guard let handle = pool.popLast() ?? EasyHandle() else { return answer(job, .notStarted) }
        lastID += 1
        handle.prepare(for: job.plan, transferID: lastID)
        guard handle.isConfigured, unsafe handle.add(to: multi) else {
            pool.append(handle)
            return answer(job, .notStarted)
        }
        active[lastID] = Active(handle: handle, job: job)
        identifiers[ObjectIdentifier(job.ticket)] = lastID
    }

    func cancel(_ ticket: TransferTicket) {
        guard let id = identifiers[ObjectIdentifier(ticket)] else { return }
        finish(id, .cancelled)
    }

    /// Advances every transfer as far as possible without waiting.
    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        var remaining: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &remaining) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
                let handle = unsafe EasyHandle.owner(of: easy)
            else { continue }
            finish(handle.transferID, .finished(unsafe ccurl_message_result(message)))
        }
    }

    /// Waits until a socket, a timer or a wake-up is ready.
    func wait() {
        unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }

    func finishAll(_ end: TransferOutcome.End) {
        for id in active.keys.sorted() { finish(id, end) }
    }

    /// The transfers that ended since the last call; each one appears exactly once.
    func takeAnswered() -> [(continuation: CheckedContinuation<TransferOutcome, Never>, outcome: TransferOutcome)] {
        defer { answered.removeAll(keepingCapacity: true) }
        return answered
    }

    /// Ends a started transfer, as the only place that does so.
    ///
    /// It removes the transfer from the table, so that it cannot be answered twice.
    private func finish(_ id: Int, _ end: TransferOutcome.End) {
        guard let transfer = active.removeValue(forKey: id) else { return }
        identifiers.removeValue(forKey: ObjectIdentifier(transfer.job.ticket))
        unsafe transfer.handle.remove(from: multi)
        let outcome = transfer.handle.takeOutcome(end)
        pool.append(transfer.handle)
        answered.append((transfer.job.continuation, outcome))
    }

    private func answer(_ job: TransferJob, _ end: TransferOutcome.End) {
        answered.append((job.continuation, TransferOutcome(end: end)))
    }

    /// Runs once per process; one thread initialises a lazy static while others wait.
    static let library: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))
}
