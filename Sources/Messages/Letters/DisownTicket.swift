package import Cryptography
package import Foundation
import Vocabulary

/// Lets the bearer of a notice say that a sign-in was not theirs.
package struct DisownTicket: Sendable, Equatable {
    package let account: UUID
    package let session: UUID
    let expires: Date

    package init(account: UUID, session: UUID, expires: Date) {
        (self.account, self.session, self.expires) = (account, session, expires)
    }
}

/// Seals and reads these tickets: `nd_` and sealed bytes in base64url.
///
/// A server seals one when it sends the notice, so that no table contains it.
package struct DisownTickets: Sendable {
    /// The life of a ticket after its sign-in, in seconds (7 days).
    static let life = 7 * 86_400
    /// The life of a follow-up after the sign-in was disowned, in seconds (30 minutes).
    package static let followUpLife = 1_800

    /// What its bearer may do; the raw value is the purpose of the seal, so that no ticket serves for the other use.
    package enum Use: String {
        /// Disown the sign-in.
        case notice = "disown ticket"
        /// Remove what came since, and begin the reset.
        case followUp = "disown follow-up"
    }

    private static let prefix = SecretPrefix.disownTicket
    private static let longest = 400
    /// Two ids, the expiry in seconds.
    private static let length = 2 * 16 + 8
    private let box: SealedBox
    private let use: Use

    package init(keys: MasterKeys, use: Use = .notice) {
        box = SealedBox(keys)
        self.use = use
    }

    package func text(_ ticket: DisownTicket) -> String {
        let seconds = UInt64(max(ticket.expires.timeIntervalSince1970, 0))
        let end = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
        let bytes = ticket.account.bytes + ticket.session.bytes + end
        return Self.prefix.text(box.seal(bytes, purpose: use.rawValue))
    }

    /// Nil for an expired ticket, and for a text that this service did not make.
    package func open(_ text: String, at now: Date) -> DisownTicket? {
        guard text.utf8.count <= Self.longest, let sealed = Self.prefix.bytes(of: text),
            let bytes = try? box.open(sealed, purpose: use.rawValue), bytes.count == Self.length
        else { return nil }
        let seconds = bytes[32...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let ticket = DisownTicket(
            account: UUID(bytes: bytes[..<16]), session: UUID(bytes: bytes[16..<32]),
            expires: Date(timeIntervalSince1970: TimeInterval(seconds)))
        return ticket.expires > now ? ticket : nil
    }
}
