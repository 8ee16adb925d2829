/// The recomputing of a chain, link by link.
///
/// Pure: it is told the links in their order, and what rows there are.
struct ChainWalk {
    private let chain: AuditChain
    private let expected: AuditHead?
    /// The link before: its position, and the digest that it has.
    private(set) var head: AuditHead
    /// Ids that have been complained of, so that they are not again.
    private(set) var suspects: Set<Int> = []
    private var missingKeys: Set<String> = []

    /// - Parameter checkpoint: what lies before it was pruned.
    init(_ chain: AuditChain, from checkpoint: AuditHead, expected: AuditHead?) {
        (self.chain, head, self.expected) = (chain, checkpoint, expected)
    }

    /// The link that follows.
    ///
    /// - Parameters:
    ///   - rows: those with the link's event id; one in an honest log.
    ///   - isPruned: whether rows of its time were dropped.
    mutating func step(_ link: ChainLink, rows: [AuditEvent], isPruned: Bool) -> [AuditFinding] {
        var findings: [AuditFinding] = []
        if link.position > head.position + 1 {
            findings.append(.missing(positions: head.position + 1...link.position - 1))
        }
        findings += judge(link, rows, isPruned: isPruned)
        // What was found is told once: the next link is held against this one as it is.
        head = AuditHead(position: link.position, digest: link.digest)
        if let expected, expected.position == link.position, expected.digest != link.digest {
            findings.append(.anotherHead(position: link.position))
        }
        return findings
    }

    private mutating func judge(_ link: ChainLink, _ rows: [AuditEvent], isPruned: Bool) -> [AuditFinding] {
        guard let digest = chain.digest(of: link, after: head.digest) else {
            return missingKeys.insert(link.keyID).inserted ? [.unknownKey(id: link.keyID)] : []
        }
        let follows = link.position == head.position + 1
        var findings: [AuditFinding] = []
        if follows, digest != link.digest { findings.append(.displaced(id: link.eventID, position: link.position)) }
        if rows.isEmpty {
            if !isPruned { findings.append(.removed(id: link.eventID, position: link.position)) }
        } else if !rows.contains(where: { isSealed($0, in: link) }) {
            findings.append(.changed(id: link.eventID, position: link.position))
        }
        if !findings.isEmpty { suspects.insert(link.eventID) }
        return findings
    }

    private func isSealed(_ event: AuditEvent, in link: ChainLink) -> Bool {
        event.at == link.at && chain.rowDigest(of: event, keyID: link.keyID) == link.rowDigest
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
