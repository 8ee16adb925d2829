import Cryptography
import Foundation
import Sessions
import Vocabulary

/// Shows that its bearer proved a second account, in addition to the account of the session.
///
/// The ticket is sealed and needs no row. The statement that spends it checks the proof of the other account again.
struct MergeTicket: Sendable, Equatable {
    /// The proof of the account that will be absorbed.
    enum Proof: Sendable, Equatable {
        /// A provider just verified the user.
        case identity(UUID)
        /// A session of that account has a recent proof.
        case session(UUID)
    }

    let kept: UUID
    let absorbed: UUID
    let proof: Proof
    let client: String
    let expires: Date
}

/// Seals and reads merge tickets: `mt_` and sealed bytes in base64url.
struct MergeTickets: Sendable {
    private static let prefix = SecretPrefix.mergeTicket
    private static let purpose = "merge ticket"
    private static let longest = 400
    /// The length of the fixed part: a kind, three ids, the expiry in seconds.
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
        return Self.prefix.text(box.seal(bytes, purpose: Self.purpose))
    }

    /// - Throws: `flowExpired` for an expired, forged or unknown ticket, or one of another account or app.
    func open(_ text: String, for session: SessionSnapshot, at now: Date) throws(Rejection) -> MergeTicket {
        guard text.utf8.count <= Self.longest, let sealed = Self.prefix.bytes(of: text),
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
