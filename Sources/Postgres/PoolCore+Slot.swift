extension PoolCore {
    /// What the outside may touch of a worker's connection.
    struct Slot {
        let wake = Monitor.Condition()
        var connection: Connection?
        var socket: SecondSocket?
        var connectedAt = MonotonicTime.never
        var job: PoolJob?
        var started = MonotonicTime.never
        /// Whether the connection is not its thread's, but the sender's and the reader's of ``job``.
        var isEntrusted = false
        /// The job where its thread is to go on with it, until it does.
        var handed: PoolJob?
        /// Whether the job is answered and its thread is to make the connection fit.
        var isUnsettled = false
        var deadline = MonotonicTime.never
        /// Whether the connection was broken off because the job's time is up.
        var isBrokenOff = false
        /// When to answer in place of a job that goes on without its connection.
        var abandonAt = MonotonicTime.never
        var isAbandoned = false
    }
}
