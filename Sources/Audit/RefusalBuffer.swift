import Foundation
import Vocabulary

/// The queue of refusals: a few of a kind per network and minute, then one row that counts the others.
///
/// Pure: no lock, no database; callers pass the time. Its size is limited and shared among networks: a network that
/// floods it displaces only its own refusals, not the evidence of others.
struct RefusalBuffer {
    /// The key of equal refusals: actor, origin, action and reason.
    private struct Kind: Hashable {
        let action: String
        let reason: String
        /// Nil beyond the limit of kinds: those share a count for all networks.
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
    /// Networks in the order of taking their rows.
    private var turns: [String] = []
    private var turn = 0
    /// No network has so many that one can be taken from it.
    private var isSpread = false
    private(set) var count = 0
    private(set) var lost = 0

    /// - Parameters:
    ///   - few: the number of a kind per minute with separate rows.
    ///   - capacity: the number of queued rows, and of distinct kinds per minute.
    init(few: Int, capacity: Int) {
        (self.few, self.capacity) = (few, capacity)
    }

    /// Whether a count waits for the end of the minute.
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

    /// The counts of a finished minute become rows.
    mutating func turnMinute(_ now: Int) {
        guard now != minute else { return }
        minute = now
        closeMinute()
    }

    /// All counts become rows, even before the end of the minute.
    mutating func closeMinute() {
        for (kind, count) in counts {
            if let last = count.last { append(last.standing(for: count.seen - few, network: kind.network)) }
        }
        counts = [:]
    }

    /// Removes rows, from each network in turn.
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

    /// Returns unwritten rows to the front.
    mutating func putBack(_ events: [RefusedEvent]) {
        for (network, own) in Dictionary(grouping: events, by: \.caller.network) {
            let later = waiting[network]?.rest ?? []
            if waiting[network] == nil { turns.append(network) }
            waiting[network] = Line(own + later)
        }
        count += events.count
    }

    /// The number of lost rows since the last call.
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

    /// Drops the newer half of the network with the most rows; false if none has more than `network`.
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

/// A queue.
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
    /// A row that represents others of its kind, with the newest request among them.
    fileprivate func standing(for others: Int, network: String?) -> RefusedEvent {
        var event = self
        event.detail = #"{"further": \#(others), "one_network": \#(network != nil)}"#
        return event
    }
}
