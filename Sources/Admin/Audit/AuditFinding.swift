import Cryptography

/// What is wrong with the log or its chain.
package enum AuditFinding: Sendable, Equatable {
    /// The row isn't what was sealed.
    case changed(id: Int, position: Int)
    /// The row is gone.
    case removed(id: Int, position: Int)
    /// The row has a position among sealed ones and was never sealed.
    case inserted(id: Int)
    /// The event says a time an hour before others that were sealed earlier.
    case backdated(id: Int, position: Int)
    /// The link doesn't follow the one before: links were changed, exchanged or put in.
    case displaced(positions: ClosedRange<Int>)
    /// Links are gone.
    case missing(positions: ClosedRange<Int>)
    /// The checkpoint isn't the one that the last pruning wrote into the log.
    case checkpoint
    /// At the expected head's position stands another digest.
    case anotherHead(position: Int)
    /// The chain ends before the expected head: its end was cut off.
    case cutOff(position: Int)
    /// The expected head was pruned: nothing is proved by it.
    case headPruned(position: Int)
    /// Rows were sealed under a master key that is not in the list.
    case unknownKey(id: String)
}

/// The end of a chain, to be kept elsewhere: who has it knows later that nothing before was taken away.
package struct AuditHead: Sendable, Equatable {
    package let position: Int
    package let digest: [UInt8]

    package init(position: Int, digest: [UInt8]) {
        (self.position, self.digest) = (position, digest)
    }

    /// Reads ``text``; nil for anything else.
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

/// What a verification came to.
package struct AuditVerdict: Sendable, Equatable {
    /// Events whose links were recomputed.
    package internal(set) var events = 0
    /// Events that wait to be sealed.
    package internal(set) var waiting = 0
    package internal(set) var findings = 0
    package internal(set) var head: AuditHead
}
