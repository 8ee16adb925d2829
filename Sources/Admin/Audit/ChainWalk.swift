import Foundation

/// The recomputing of a chain, link by link.
///
/// Pure: it is told the links in their order, and the events that stand at their positions.
struct ChainWalk {
    private let chain: AuditChain
    private let expected: AuditHead?
    /// The link before: the position of its last event, and the digest that it has.
    private(set) var head: AuditHead
    /// The latest time of the link before.
    private var lastAt: Date?
    private var missingKeys: Set<String> = []

    /// How much later than others an honest event may be sealed: a transaction is shorter.
    private static let latest: TimeInterval = 3_600

    /// - Parameter checkpoint: what lies before it was pruned.
    init(_ chain: AuditChain, from checkpoint: AuditHead, expected: AuditHead?) {
        (self.chain, head, self.expected) = (chain, checkpoint, expected)
    }

    /// The link that follows.
    ///
    /// - Parameters:
    ///   - events: those with positions after the link before, up to this link's; each of its positions once in an honest log.
    ///   - isPruned: whether events of its month were dropped.
    mutating func step(_ link: ChainLink, events: [SealedEvent], isPruned: Bool) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        let first = link.positions.lowerBound
        if first > head.position + 1 { findings.append(.missing(positions: head.position + 1...first - 1)) }
        findings += judge(link, follows: first == head.position + 1)
        if missingKeys.contains(link.keyID) == false { findings += compare(link, events, isPruned: isPruned) }
        findings += events.filter { !link.positions.contains($0.position) }.map { .inserted(id: $0.event.id) }
        // What was found is told once: the next link is held against this one as it is.
        head = AuditHead(position: link.position, digest: link.digest)
        lastAt = [lastAt, link.lastAt].compactMap(\.self).max()
        if let expected, link.positions.contains(expected.position), expected != head {
            findings.append(.anotherHead(position: expected.position))
        }
        return findings
    }

    /// Whether the link has its own digest.
    private mutating func judge(_ link: ChainLink, follows: Bool) -> [AuditFinding] {
        guard let digest = chain.digest(of: link, after: head.digest) else {
            return missingKeys.insert(link.keyID).inserted ? [.unknownKey(id: link.keyID)] : []
        }
        return follows && digest != link.digest ? [.displaced(positions: link.positions)] : []
    }

    /// Whether its events are those that were sealed.
    private func compare(_ link: ChainLink, _ events: [SealedEvent], isPruned: Bool) -> [AuditFinding] {
        let found = Dictionary(grouping: events, by: \.position)
        return zip(link.positions, zip(link.eventIDs, link.rowDigests)).flatMap { position, sealed -> [AuditFinding] in
            Self.compare((found[position] ?? []).map(\.event), id: sealed.0, position, isPruned) { event in
                if chain.rowDigest(of: event, keyID: link.keyID) != sealed.1 {
                    return .changed(id: event.id, position: position)
                }
                return isBackdated(event) ? .backdated(id: event.id, position: position) : nil
            }
        }
    }

    /// - Parameter judge: what is wrong with the event that has the place's id.
    private static func compare(
        _ events: [AuditEvent], id: Int, _ position: Int, _ isPruned: Bool, judge: (AuditEvent) -> AuditFinding?
    ) -> [AuditFinding] {
        let place = events.firstIndex { $0.id == id }
        let others = events.indices.filter { $0 != place }.map { AuditFinding.inserted(id: events[$0].id) }
        guard let place else { return (isPruned ? [] : [.removed(id: id, position: position)]) + others }
        return [judge(events[place])].compactMap(\.self) + others
    }

    private func isBackdated(_ event: AuditEvent) -> Bool {
        lastAt.map { event.at < $0.addingTimeInterval(-Self.latest) } ?? false
    }

    /// The chain goes on behind what was pruned while it was walked.
    mutating func skip(to checkpoint: AuditHead) {
        head = checkpoint
    }

    /// After the last link.
    func end() -> [AuditFinding] {
        guard let expected, expected.position > head.position else { return [] }
        return [.cutOff(position: expected.position)]
    }
}
