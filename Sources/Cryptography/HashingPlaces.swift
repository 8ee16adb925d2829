/// Who holds a place in the hashing queue, and who waits for one.
///
/// Pure: no lock, no clock, no thread. As many places as there are threads and jobs that may wait; one network holds an
/// eighth of what may wait at most, so that no seven accounts of one person fill the queue.
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

    /// How many may wait for a place, and how many of one network.
    ///
    /// Each is a request in memory and nothing else. Turned away at once they would come back at once, and the machine
    /// would refuse passwords where it should check them.
    static let mostWaiters = 2_048
    static let mostWaitersOfNetwork = 1_024

    init(limit: Int) {
        self.limit = limit
    }

    /// The places that one network may hold.
    private var share: Int { max(limit / 8, 1) }

    private func hasRoom(for network: String?) -> Bool {
        taken < threads + limit && (network.map { held[$0, default: 0] < share } ?? true)
    }

    /// False where there is no room.
    ///
    /// Nobody who waits is passed over: where there is room for a network, none of it waits.
    mutating func take(for network: String?) -> Bool {
        guard hasRoom(for: network) else { return false }
        taken += 1
        if let network { held[network, default: 0] += 1 }
        return true
    }

    /// Waits in turn for an answer by ``free(_:)``; nil where too many do.
    mutating func queue(_ network: String?, _ answer: @escaping Answer) -> Int? {
        let others = network.map { waitersOf[$0, default: 0] } ?? 0
        guard waiters.count < Self.mostWaiters, others < Self.mostWaitersOfNetwork else { return nil }
        tickets += 1
        waiters.append(Waiter(ticket: tickets, network: network, answer: answer))
        if let network { waitersOf[network] = others + 1 }
        return tickets
    }

    /// Waits no longer; nil where it has been answered.
    mutating func leave(_ ticket: Int) -> Answer? {
        waiters.firstIndex { $0.ticket == ticket }.map { removeWaiter(at: $0).answer }
    }

    /// Gives a place back; those who get one in its stead are to be told.
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

    /// Nobody waits any more; all of them are to be told.
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
    /// One less; what comes to nothing takes no memory.
    fileprivate mutating func count(down key: String) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
