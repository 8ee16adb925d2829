extension PoolCore {
    /// What the outside may touch of a worker's connection.
    struct Slot {
        let wake = Monitor.Condition()
        var connection: Connection?
        var socket: SecondSocket?
        var cancel: CancelHandle?
        var job: PoolJob?
        var started = MonotonicTime.never
        /// Whether the connection is not its thread's, but the sender's and the reader's of ``job``.
        var isEntrusted = false
        /// The job where its thread is to go on with it, until it does.
        var handed: PoolJob?
        /// Whether the job is answered and its thread is to make the connection fit.
        var isUnsettled = false
        var deadline = MonotonicTime.never
        /// When to stop waiting for the server to obey.
        var abandonAt = MonotonicTime.never
        var cancelSent = false
        /// When to ask the server once more: it doesn't heed who asks before it has begun.
        var cancelAgainAt = MonotonicTime.never
        /// The number of the cancel request that is under way.
        var cancelInFlight: Int?
        var isAbandoned = false
    }
}
