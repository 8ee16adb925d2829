import CCurl
import Synchronization

/// The commands of other threads to the loop's thread, and the way to wake it; protected by ``TransferLoop``'s lock.
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
    /// The number of accepted requests without an answer.
    var inFlight = 0
    /// The loop waits or is about to wait; only then is a wake-up worth a system call.
    var isAsleep = false
    /// The callers that wait for the end.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Set by the thread while its multi handle exists.
    var wakeTarget: WakeTarget?
}

extension TransferInbox {
    /// Runs inside the lock, so that the handle cannot be freed at the same time.
    mutating func wake() {
        guard isAsleep, let wakeTarget else { return }
        isAsleep = false
        wakeTarget.wake()
    }
}

/// A borrowed multi handle that can only be woken.
///
/// It is Sendable because libcurl's manual allows `curl_multi_wakeup`, alone of the multi functions, from any thread.
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

/// The reference with which a caller cancels a transfer.
final class TransferTicket: Sendable {
    let isCancelled = Atomic(false)
}

/// A transfer on its way to the loop's thread.
struct TransferJob: Sendable {
    let plan: any TransferPlan
    let ticket: TransferTicket
    let continuation: CheckedContinuation<TransferOutcome, Never>
}
