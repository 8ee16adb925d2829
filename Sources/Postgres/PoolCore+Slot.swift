extension PoolCore {
    /// The part of a worker's connection that other threads may use.
    struct Slot {
        let wake = Monitor.Condition()
        var connection: Connection?
        var socket: SecondSocket?
        var connectedAt = MonotonicTime.never
        var job: PoolJob?
        var started = MonotonicTime.never
        /// Whether the connection belongs to the sender and the reader of ``job`` instead of its thread.
        var isEntrusted = false
        /// The job that its thread has to continue, until it does.
        var handed: PoolJob?
        /// Whether the job is answered and its thread has to reset the connection.
        var isUnsettled = false
        var deadline = MonotonicTime.never
        /// Whether the connection was shut down because the job's time limit passed.
        var isBrokenOff = false
        /// How to answer a job that continues without its connection.
        var abandonAt = MonotonicTime.never
        var isAbandoned = false
    }
}
