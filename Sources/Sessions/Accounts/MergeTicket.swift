import Cryptography
import Foundation

/// Says that whoever holds it has proved a second account, beside the one of the session that brings it.
///
/// It is sealed and needs no row: what proved the other account is looked at again when it is used, in the statement
/// that spends it.
struct MergeTicket: Sendable, Equatable {
    /// What proved the account that is to be absorbed.
    enum Proof: Sendable, Equatable {
        /// A provider has just vouched for it.
        case identity(UUID)
        /// A session of that account, proved a short while ago.
        case session(UUID)
    }

    let kept: UUID
    let absorbed: UUID
    let proof: Proof
    let client: String
    let expires: Date
}

/// The text of merge tickets: `mt_` and sealed bytes in base64url.
struct MergeTickets: Sendable {
    private static let prefix = "mt_"
    private static let purpose = "merge ticket"
    private static let longest = 400
    /// The fixed part: a kind, three ids, the end in seconds.
    private static let headLength = 1 + 3 * 16 + 8
    private let box: SealedBox

    init(keys: MasterKeys) {
        box = SealedBox(keys)
    }

    func text(_ ticket: MergeTicket) -> String {
        let (kind, proof): (UInt8, UUID) =
            switch ticket.proof {
            case .identity(let id): (1, id)
            case .session(let id): (2, id)
            }
        let seconds = UInt64(max(ticket.expires.timeIntervalSince1970, 0))
        let end = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
        let bytes = [kind] + ticket.kept.bytes + ticket.absorbed.bytes + proof.bytes + end + Array(ticket.client.utf8)
        return Self.prefix + Base64URL.encode(box.seal(bytes, purpose: Self.purpose))
    }

    /// - Throws: `flowExpired` for one that is over, another account's, another app's or nobody's.
    func open(_ text: String, for session: SessionSnapshot, at now: Date) throws(Rejection) -> MergeTicket {
        guard text.utf8.count <= Self.longest, text.hasPrefix(Self.prefix),
            let sealed = Base64URL.decode(text.dropFirst(Self.prefix.count)),
            let bytes = try? box.open(sealed, purpose: Self.purpose), let ticket = Self.ticket(bytes),
            ticket.expires > now, ticket.kept == session.facts.account, ticket.client == session.facts.clientID
        else { throw .flowExpired }
        return ticket
    }

    private static func ticket(_ bytes: [UInt8]) -> MergeTicket? {
        guard bytes.count > headLength else { return nil }
        let ids = (0..<3).map { UUID(bytes: bytes[(1 + 16 * $0)..<(17 + 16 * $0)]) }
        let seconds = bytes[49..<headLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let proof: MergeTicket.Proof
        switch bytes[0] {
        case 1: proof = .identity(ids[2])
        case 2: proof = .session(ids[2])
        default: return nil
        }
        return MergeTicket(
            kept: ids[0], absorbed: ids[1], proof: proof, client: String(decoding: bytes[headLength...], as: UTF8.self),
            expires: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
