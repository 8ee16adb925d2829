import Cryptography

/// A violation of the log or its chain.
package enum AuditFinding: Sendable, Equatable {
    /// The row differs from its sealed form.
    case changed(id: Int, position: Int)
    /// The row is missing.
    case removed(id: Int, position: Int)
    /// The row has a position among sealed ones but was never sealed.
    case inserted(id: Int)
    /// The event has a time one hour before events that were sealed earlier.
    case backdated(id: Int, position: Int)
    /// The link doesn't follow its predecessor: links were changed, replaced or inserted.
    case displaced(positions: ClosedRange<Int>)
    /// Links are missing.
    case missing(positions: ClosedRange<Int>)
    /// The checkpoint differs from the last pruning record in the log.
    case checkpoint
    /// The expected head's position has another digest.
    case anotherHead(position: Int)
    /// The chain ends before the expected head: its end was removed.
    case cutOff(position: Int)
    /// The expected head was pruned, so it proves nothing.
    case headPruned(position: Int)
    /// Rows were sealed with a master key that is not configured.
    case unknownKey(id: String)
}

/// The end of a chain, to be stored elsewhere.
///
/// It later proves that nothing before it was removed.
package struct AuditHead: Sendable, Equatable {
    package let position: Int
    package let digest: [UInt8]

    package init(position: Int, digest: [UInt8]) {
        (self.position, self.digest) = (position, digest)
    }

    /// Reads ``text``; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int(parts[0]), position >= 0, let digest = Hex.decode(String(parts[1])),
            digest.count == 32
        else { return nil }
        self.init(position: position, digest: digest)
    }

    /// `POSITION:DIGEST`, the digest in hexadecimal.
    package var text: String { "\(position):\(Hex.encode(digest))" }
}

/// The result of a verification.
package struct AuditVerdict: Sendable, Equatable {
    /// Events with recomputed links.
    package internal(set) var events = 0
    /// Events not yet sealed.
    package internal(set) var waiting = 0
    /// The age of the oldest of them in seconds.
    package internal(set) var waitingSeconds = 0.0
    package internal(set) var findings = 0
    package internal(set) var head: AuditHead
}
