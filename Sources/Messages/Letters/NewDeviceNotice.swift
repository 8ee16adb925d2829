import Foundation
import JSON
import Vocabulary

/// The facts of a notice about a sign-in from a new device (`devices/note_new_device.sql`).
///
/// The notice about a merge has only the facts of the ticket (`merging/merge_own_accounts.sql`).
struct NewDeviceNotice: Sendable, Equatable {
    let ticket: DisownTicket
    let at: Date
    /// Nil for an app that no operator added: a stranger chose its name.
    let app: String?
    /// Made only of our own words; nil for an unknown device.
    let device: String?
    let address: String

    /// Nil for incomplete facts.
    init?(_ detail: JSONObject) {
        guard let account = detail["account"]?.string.flatMap(UUID.init(text:)),
            let session = detail["session"]?.string.flatMap(UUID.init(text:)), let at = detail["at"]?.integer
        else { return nil }
        self.at = Date(timeIntervalSince1970: TimeInterval(at))
        ticket = DisownTicket(
            account: account, session: session, expires: self.at.addingTimeInterval(TimeInterval(DisownTickets.life)))
        app = detail["app"]?.string
        device = detail["agent"]?.string.flatMap(UserAgent.known)
        address = detail["address"]?.string ?? ""
    }

    /// `2026-11-26 20:16 UTC`.
    var moment: String {
        let text = at.formatted(.iso8601)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}
