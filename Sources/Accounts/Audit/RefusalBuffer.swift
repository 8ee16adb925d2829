import Foundation

/// Refusals that wait to be written: a few of a kind from one network in a minute, and then one row that counts the others.
///
/// Pure: no lock, no database; the clock is told. What it holds is bounded, and shared out among networks: a network that
/// floods it displaces its own refusals, and not the evidence of what happens elsewhere.
struct RefusalBuffer {
    /// What makes refusals alike: who asked for what from where, and why not.
    private struct Kind: Hashable {
        let action: String
        let reason: String
        /// Nil beyond so many kinds: those share a count whatever their network.
        let network: String?
        let account: UUID?
    }

    private struct Count {
        var seen = 0
        /// The newest one beyond the few.
        var last: RefusedEvent?
    }

    private let few: Int
    private let capacity: Int
    private var minute = 0
    private var counts: [Kind: Count] = [:]
    private var waiting: [String: Line<RefusedEvent>] = [:]
    /// Networks in the order in which their rows are taken.
    private var turns: [String] = []
    private var turn = 0
    /// No network holds so many that there is one to take from.
    private var isSpread = false
    private(set) var count = 0
    private(set) var lost = 0

    /// - Parameters:
    ///   - few: how many of a kind get rows of their own in a minute.
    ///   - capacity: how many rows may wait, and how many kinds are told apart in a minute.
    init(few: Int, capacity: Int) {
        (self.few, self.capacity) = (few, capacity)
    }

    /// Whether a count waits for the minute's end.
    var isCounting: Bool { counts.values.contains { $0.last != nil } }

    mutating func record(_ event: RefusedEvent, minute now: Int) {
        turnMinute(now)
        let kind = kind(of: event)
        var count = counts[kind, default: Count()]
        count.seen += 1
        if count.seen > few { count.last = event }
        counts[kind] = count
        if count.seen <= few { append(event) }
    }

    /// The counts of a minute that is over become rows.
    mutating func turnMinute(_ now: Int) {
        guard now != minute else { return }
        minute = now
        closeMinute()
    }

    /// All counts become rows, whether or not the minute is over.
    mutating func closeMinute() {
        for (kind, count) in counts {
            if let last = count.last { append(last.standing(for: count.seen - few, network: kind.network)) }
        }
        counts = [:]
    }

    /// Takes rows out, from each network in turn.
    mutating func take(_ most: Int) -> [RefusedEvent] {
        var taken: [RefusedEvent] = []
        while taken.count < most, !turns.isEmpty {
            turn = turn < turns.count ? turn : 0
            if let event = waiting[turns[turn]]?.next() {
                taken.append(event)
                turn += 1
            } else {
                waiting[turns[turn]] = nil
                turns.remove(at: turn)
            }
        }
        count -= taken.count
        isSpread = false
        return taken
    }

    /// Puts back what could not be written, before what came meanwhile.
    mutating func putBack(_ events: [RefusedEvent]) {
        for (network, own) in Dictionary(grouping: events, by: \.caller.network) {
            let later = waiting[network]?.rest ?? []
            if waiting[network] == nil { turns.append(network) }
            waiting[network] = Line(own + later)
        }
        count += events.count
    }

    /// How many were lost since it was last asked.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    private func kind(of event: RefusedEvent) -> Kind {
        let own = Kind(
            action: event.action, reason: event.reason, network: event.caller.network, account: event.accountID)
        guard counts.count >= capacity, counts[own] == nil else { return own }
        return Kind(action: event.action, reason: event.reason, network: nil, account: nil)
    }

    private mutating func append(_ event: RefusedEvent) {
        guard count < capacity || makeRoom(besides: event.caller.network) else {
            lost += 1
            return
        }
        let network = event.caller.network
        if waiting[network] == nil { turns.append(network) }
        waiting[network, default: Line([])].append(event)
        count += 1
    }

    /// Takes from the network that holds most the newer half of what it holds; false where none holds more than `network`.
    private mutating func makeRoom(besides network: String) -> Bool {
        guard !isSpread else { return false }
        let most = waiting.max { $0.value.count < $1.value.count }
        guard let most, most.value.count > 1 else {
            isSpread = true
            return false
        }
        guard most.value.count > waiting[network]?.count ?? 0 else { return false }
        let dropped = most.value.count / 2
        waiting[most.key]?.dropNewest(dropped)
        count -= dropped
        lost += dropped
        return true
    }
}

/// A line that is taken from at the front.
private struct Line<Element> {
    private var elements: [Element]
    private var first = 0

    init(_ elements: [Element]) {
        self.elements = elements
    }

    var count: Int { elements.count - first }
    var rest: [Element] { Array(elements[first...]) }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? {
        guard first < elements.count else { return nil }
        defer {
            first += 1
            if first > 64, first * 2 > elements.count {
                elements.removeFirst(first)
                first = 0
            }
        }
        return elements[first]
    }

    mutating func dropNewest(_ count: Int) { elements.removeLast(count) }
}

extension RefusedEvent {
    /// A row that stands for others of its kind; the request is the newest of theirs.
    fileprivate func standing(for others: Int, network: String?) -> RefusedEvent {
        var event = self
        event.detail = #"{"further": \#(others), "one_network": \#(network != nil)}"#
        return event
    }
}
