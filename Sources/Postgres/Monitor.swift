import Glibc

/// A lock with condition variables, which `Synchronization.Mutex` lacks.
@safe final class Monitor: @unchecked Sendable {
    // Sendable: POSIX mutexes may be used from every thread at a stable address, and this one stays on the heap from
    // init to deinit.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func lock() {
        unsafe pthread_mutex_lock(mutex)
    }

    func unlock() {
        unsafe pthread_mutex_unlock(mutex)
    }

    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// A condition variable.
    ///
    /// Each waiting thread has its own, so that a signal wakes the right one.
    @safe final class Condition: @unchecked Sendable {
        // Sendable: for the same reason as the mutex.
        private let condition: UnsafeMutablePointer<pthread_cond_t>

        init() {
            unsafe condition = .allocate(capacity: 1)
            unsafe condition.initialize(to: pthread_cond_t())
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(condition, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        }

        deinit {
            unsafe pthread_cond_destroy(condition)
            unsafe condition.deallocate()
        }

        func signal() {
            unsafe pthread_cond_signal(condition)
        }

        /// Unlocks the monitor while it waits.
        ///
        /// May return early: check the condition again.
        ///
        /// Call it with the monitor locked.
        func wait(_ monitor: Monitor, until time: MonotonicTime) {
            if time == .never {
                unsafe pthread_cond_wait(condition, monitor.mutex)
            } else {
                var limit = time.timespecValue
                unsafe pthread_cond_timedwait(condition, monitor.mutex, &limit)
            }
        }
    }
}
