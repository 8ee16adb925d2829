import Synchronization

/// Sends a bounded number of messages of one medium at once.
///
/// Half of the lanes are kept for requests: many notices before a slow mail server must not delay a code.
final class DeliveryLanes: Sendable {
    private struct State {
        var underWay = 0
        var queue: [(message: ClaimedMessage, result: AttemptResult)] = []
        var wantsMore = false
        /// After a stop, no message waits for a lane.
        var isStopping = false
        /// Each stream finishes when no delivery is running.
        var idleWaiters: [AsyncStream<Void>.Continuation] = []
    }

    /// One element each time that a message may be due.
    let wakes: AsyncStream<Void>
    let store: OutboxStore
    private let dispatcher: Dispatcher
    private let width: Int
    private let queueLimit: Int
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init(_ dispatcher: Dispatcher, width: Int = 16, queueLimit: Int = 256) {
        (self.dispatcher, store, self.width, self.queueLimit) = (dispatcher, dispatcher.store, width, queueLimit)
        (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }

    /// The number of messages that may be claimed now; if it is zero, ``wakes`` reports the next free lane.
    func roomForClaims() -> Int {
        state.withLock { state in
            let room = max(0, width / 2 - state.underWay)
            state.wantsMore = room == 0
            return room
        }
    }

    /// Sends a message that a worker claimed.
    func start(_ message: ClaimedMessage) {
        state.withLock { $0.underWay += 1 }
        run(message, AttemptResult())
    }

    /// Sends a message for a waiting request; nil if the outcome is not known in time.
    func attempt(_ message: ClaimedMessage, within patience: Duration) async -> Attempt? {
        let result = AttemptResult()
        let isNext = state.withLock { state -> Bool? in
            if state.underWay < width {
                state.underWay += 1
                return true
            }
            // Beyond the limit, the message waits in the table until its lease expires.
            guard !state.isStopping, state.queue.count < queueLimit else { return nil }
            state.queue.append((message, result))
            return false
        }
        guard let isNext else { return nil }
        if isNext { run(message, result) }
        return await result.value(within: patience)
    }

    /// The number of messages that wait for a lane.
    var depth: Int { state.withLock { $0.queue.count } }

    /// Leaves waiting messages in the table: a server sends them after their leases expire.
    func stop() {
        let left = state.withLock { state in
            state.isStopping = true
            let results = state.queue.map(\.result)
            state.queue = []
            return results
        }
        for result in left { result.give(nil) }
    }

    /// Returns when no delivery is running, or at once when its task is cancelled.
    ///
    /// A silent mail server takes longer than a stop may.
    func idle() async {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let isIdle = state.withLock { state in
            if state.underWay == 0 { return true }
            state.idleWaiters.append(continuation)
            return false
        }
        guard !isIdle else { return }
        for await _ in end {}
    }

    /// Uses its own task: the delivery continues even if the request is gone.
    private func run(_ message: ClaimedMessage, _ result: AttemptResult) {
        Task {
            var next = Optional((message: message, result: result))
            while let (message, result) = next {
                result.give(await dispatcher.dispatch(message))
                next = finishOne()
            }
        }
    }

    /// Passes the lane to the next waiting message.
    private func finishOne() -> (message: ClaimedMessage, result: AttemptResult)? {
        var waiters: [AsyncStream<Void>.Continuation] = []
        var isWakeDue = false
        let next = state.withLock { state -> (message: ClaimedMessage, result: AttemptResult)? in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.underWay -= 1
            if state.wantsMore, state.underWay < width / 2 { (state.wantsMore, isWakeDue) = (false, true) }
            if state.underWay == 0 { swap(&waiters, &state.idleWaiters) }
            return nil
        }
        if isWakeDue { wake() }
        for waiter in waiters { waiter.finish() }
        return next
    }
}
