/// The occupied places of the hashing queue, and the requests that wait for one.
///
/// It is pure: no lock, no clock, no thread. There are as many places as threads and waiting jobs together. One network
/// may occupy an eighth of them at most, so that seven accounts of one user cannot fill the queue.
struct HashingPlaces {
    typealias Answer = @Sendable (Result<HashingPlace, PasswordHashError>) -> Void

    private struct Waiter {
        let ticket: Int
        let network: String?
        let answer: Answer
    }

    var threads = 0
    private let limit: Int
    private var taken = 0
    private var held: [String: Int] = [:]
    private var waiters: [Waiter] = []
    private var waitersOf: [String: Int] = [:]
    private var tickets = 0

    /// The limit of requests that wait for a place, in total and per network.
    ///
    /// Each waiting request is only some memory. A refused request would return at once, and the machine would spend
    /// its time on refusals.
    static let mostWaiters = 2_048
    static let mostWaitersOfNetwork = 1_024

    init(limit: Int) {
        self.limit = limit
    }

    /// The places that one network may occupy.
    private var share: Int { max(limit / 8, 1) }

    private func hasRoom(for network: String?) -> Bool {
        taken < threads + limit && (network.map { held[$0, default: 0] < share } ?? true)
    }

    /// False if there is no room.
    ///
    /// No waiting request is overtaken: a network with room has no waiting requests.
    mutating func take(for network: String?) -> Bool {
        guard hasRoom(for: network) else { return false }
        taken += 1
        if let network { held[network, default: 0] += 1 }
        return true
    }

    /// Waits in turn for an answer by ``free(_:)``; nil if too many requests wait.
    mutating func queue(_ network: String?, _ answer: @escaping Answer) -> Int? {
        let others = network.map { waitersOf[$0, default: 0] } ?? 0
        guard waiters.count < Self.mostWaiters, others < Self.mostWaitersOfNetwork else { return nil }
        tickets += 1
        waiters.append(Waiter(ticket: tickets, network: network, answer: answer))
        if let network { waitersOf[network] = others + 1 }
        return tickets
    }

    /// Stops waiting; nil if it was already answered.
    mutating func leave(_ ticket: Int) -> Answer? {
        waiters.firstIndex { $0.ticket == ticket }.map { removeWaiter(at: $0).answer }
    }

    /// Frees a place, and returns the waiting requests that now receive one and must be answered.
    mutating func free(_ network: String?) -> [(network: String?, answer: Answer)] {
        taken -= 1
        if let network { held.count(down: network) }
        var next: [(network: String?, answer: Answer)] = []
        while taken < threads + limit, let index = waiters.firstIndex(where: { hasRoom(for: $0.network) }) {
            let waiter = removeWaiter(at: index)
            _ = take(for: waiter.network)
            next.append((waiter.network, waiter.answer))
        }
        return next
    }

    /// Ends all waiting, and returns the requests that must be answered.
    mutating func close() -> [Answer] {
        defer { (waiters, waitersOf) = ([], [:]) }
        return waiters.map(\.answer)
    }

    private mutating func removeWaiter(at index: Int) -> Waiter {
        let waiter = waiters.remove(at: index)
        if let network = waiter.network { waitersOf.count(down: network) }
        return waiter
    }
}

extension [String: Int] {
    /// Decrements a count, and removes it at zero to save memory.
    fileprivate mutating func count(down key: String) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
