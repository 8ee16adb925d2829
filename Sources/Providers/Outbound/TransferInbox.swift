import CCurl
import Synchronization

/// What other threads leave for the loop's thread, and how they wake it; lives in ``TransferLoop``'s lock.
struct TransferInbox {
    enum Command: Sendable {
        case start(TransferJob)
        case cancel(TransferTicket)
    }

    enum Phase: Equatable {
        /// No thread yet.
        case idle
        case running
        case stopping
        case stopped
    }

    var phase = Phase.idle
    var commands: [Command] = []
    /// Accepted and not yet answered.
    var inFlight = 0
    /// The loop found nothing to do and is waiting, or about to: only then is waking it worth a system call.
    var isAsleep = false
    /// What waits for the end.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Set by the thread while its multi handle exists.
    var wakeTarget: WakeTarget?
}

extension TransferInbox {
    /// Called inside the lock, so that the handle can't be freed in between.
    mutating func wake() {
        guard isAsleep, let wakeTarget else { return }
        isAsleep = false
        wakeTarget.wake()
    }
}

/// A borrowed multi handle that can only be woken.
///
/// Sendable because `curl_multi_wakeup` is the one function of a multi handle that libcurl's manual allows from any thread.
/// The handle is alive: the inbox holds this only while the engine exists, and uses it only inside its lock.
@safe struct WakeTarget: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = unsafe multi
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }
}

/// Names a transfer to those who may cancel it.
final class TransferTicket: Sendable {
    let isCancelled = Atomic(false)
}

/// A transfer on its way to the loop's thread.
struct TransferJob: Sendable {
    let plan: any TransferPlan
    let ticket: TransferTicket
    let continuation: CheckedContinuation<TransferOutcome, Never>
}
