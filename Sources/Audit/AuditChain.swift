package import Cryptography
package import Foundation
import JSON

/// The link of the chain for a non-empty batch of events of one month.
package struct ChainLink: Sendable, Equatable {
    /// Of the batch's last event.
    ///
    /// Positions are 1-based, without gaps.
    package var position: Int
    /// The earliest time of its events; it remains after they are pruned.
    package var firstAt: Date
    package var lastAt: Date
    /// The master key of the digests.
    package var keyID: String
    /// In the order of their positions.
    package var eventIDs: [Int]
    /// Of the events, in the same order.
    package var rowDigests: [[UInt8]]
    package var digest: [UInt8]

    /// The positions of its events.
    package var positions: ClosedRange<Int> { position - eventIDs.count + 1...position }
}

/// An event with its position in the chain.
///
/// Followers and live listeners receive each event once, in this order.
package struct SealedEvent: Sendable, Equatable {
    package let position: Int
    package let event: AuditEvent
}

/// The digests that reveal changes of the log; docs/audit.md describes them.
///
/// Pure. With a master key a chain can be recomputed from its rows; without one it can't be forged.
package struct AuditChain: Sendable {
    /// The digest before the first row.
    package static let origin = [UInt8](repeating: 0, count: 32)

    private let newest: String
    private let keys: [String: [UInt8]]

    package init(keys: MasterKeys) {
        let derived = keys.derivedByID("audit chain")
        newest = derived[0].id
        self.keys = Dictionary(uniqueKeysWithValues: derived.map { ($0.id, $0.key) })
    }

    /// The next link, with the newest key.
    ///
    /// - Parameter events: at least one, of one month (UTC), in the order of their positions.
    package func link(_ events: [AuditEvent], from position: Int, after previous: [UInt8]) -> ChainLink {
        let times = events.map(\.at)
        var link = ChainLink(
            position: position + events.count - 1, firstAt: times.min() ?? .distantPast,
            lastAt: times.max() ?? .distantPast, keyID: newest, eventIDs: events.map(\.id), rowDigests: [], digest: [])
        link.rowDigests = events.compactMap { rowDigest(of: $0, keyID: newest) }
        link.digest = digest(of: link, after: previous) ?? []
        return link
    }

    /// Nil without that key.
    func rowDigest(of event: AuditEvent, keyID: String) -> [UInt8]? {
        keys[keyID].map { HMACSHA256.code(Self.bytes(of: event), key: $0) }
    }

    /// The digest of a link's own columns and the previous digest; nil without its key.
    package func digest(of link: ChainLink, after previous: [UInt8]) -> [UInt8]? {
        keys[link.keyID].map { key in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(100 + 40 * link.eventIDs.count)
            bytes += "gateway audit link 2".utf8
            bytes += previous
            for number in [link.position, link.firstAt.microseconds, link.lastAt.microseconds, link.eventIDs.count] {
                Self.append(number, to: &bytes)
            }
            for id in link.eventIDs { Self.append(id, to: &bytes) }
            for digest in link.rowDigests { bytes += digest }
            return HMACSHA256.code(bytes, key: key)
        }
    }

    /// The canonical form of a row: each non-null column with its name and value, both with their lengths.
    ///
    /// A column of a later version is null in old rows, so their form stays the same.
    package static func bytes(of event: AuditEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(600)
        bytes += "gateway audit row 1".utf8
        add("id", event.id, to: &bytes)
        add("at", event.at.microseconds, to: &bytes)
        add("action", event.action, to: &bytes)
        add("outcome", event.outcome, to: &bytes)
        add("reason", event.reason, to: &bytes)
        add("account_id", event.accountID, to: &bytes)
        add("identity_id", event.identityID, to: &bytes)
        add("session_id", event.sessionID, to: &bytes)
        add("client_id", event.clientID, to: &bytes)
        add("provider", event.provider, to: &bytes)
        add("address", event.address, to: &bytes)
        add("request_id", event.requestID, to: &bytes)
        add("detail", event.detail, to: &bytes)
        add("actor_id", event.actorID, to: &bytes)
        add("words", event.words, to: &bytes)
        return bytes
    }

    private static func add(_ name: String, _ value: String?, to bytes: inout [UInt8]) {
        guard let value else { return }
        append(name, to: &bytes)
        append(value, to: &bytes)
    }

    private static func add(_ name: String, _ value: UUID?, to bytes: inout [UInt8]) {
        add(name, value?.text, to: &bytes)
    }

    private static func add(_ name: String, _ value: Int, to bytes: inout [UInt8]) {
        append(name, to: &bytes)
        append(8, to: &bytes)
        append(value, to: &bytes)
    }

    /// The length and the bytes.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(text.utf8.count, to: &bytes)
        bytes += text.utf8
    }

    /// Eight bytes, most significant first.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
