import Foundation

/// Recomputes a chain, link by link.
///
/// Pure: it receives the links in order, and the events at their positions.
struct ChainWalk {
    private let chain: AuditChain
    private let expected: AuditHead?
    /// The previous link: the position of its last event, and its digest.
    private(set) var head: AuditHead
    /// The latest time of the previous link.
    private var lastAt: Date?
    private var missingKeys: Set<String> = []

    /// The maximum delay between the time of an honest event and its sealing; transactions are shorter.
    private static let latest: TimeInterval = 3_600

    /// - Parameter checkpoint: the end of the pruned part.
    init(_ chain: AuditChain, from checkpoint: AuditHead, expected: AuditHead?) {
        (self.chain, head, self.expected) = (chain, checkpoint, expected)
    }

    /// Checks the next link.
    ///
    /// - Parameters:
    ///   - events: those after the previous link up to this one's position; each position once in an honest log.
    ///   - isPruned: whether events of its month were dropped.
    mutating func step(_ link: ChainLink, events: [SealedEvent], isPruned: Bool) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        let first = link.positions.lowerBound
        if first > head.position + 1 { findings.append(.missing(positions: head.position + 1...first - 1)) }
        findings += judge(link, follows: first == head.position + 1)
        if missingKeys.contains(link.keyID) == false { findings += compare(link, events, isPruned: isPruned) }
        findings += events.filter { !link.positions.contains($0.position) }.map { .inserted(id: $0.event.id) }
        // Each violation is reported once: the next link is compared with this one as stored.
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

    /// Whether its events are the sealed ones.
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

    /// - Parameter judge: the violation of the event with the position's id, if any.
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

    /// The chain continues after events that were pruned during the walk.
    mutating func skip(to checkpoint: AuditHead) {
        head = checkpoint
    }

    /// After the last link.
    func end() -> [AuditFinding] {
        guard let expected, expected.position > head.position else { return [] }
        return [.cutOff(position: expected.position)]
    }
}
