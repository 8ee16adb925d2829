extension PoolCore {
    /// The state of a worker that other threads may use.
    struct Slot {
        let wake = Monitor.Condition()
        var connection: Connection?
        var socket: SecondSocket?
        var connectedAt = MonotonicTime.never
        var job: PoolJob?
        var started = MonotonicTime.never
        /// Whether the connection belongs to the sender and the reader of ``job`` instead of its thread.
        var isEntrusted = false
        /// A job that the connection's thread has to finish.
        var handed: PoolJob?
        /// Whether the job is answered and the thread has to reset the connection.
        var isUnsettled = false
        var deadline = MonotonicTime.never
        /// Whether the connection was broken off because the job is overdue.
        var isBrokenOff = false
        /// When to fail a job if its thread still hangs after the connection was broken off.
        var abandonAt = MonotonicTime.never
        var isAbandoned = false
    }
}
