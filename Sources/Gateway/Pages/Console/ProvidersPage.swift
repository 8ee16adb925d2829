/// `GET /admin/providers`: the providers that are configured, and how they have been doing.
struct ProvidersPage: ConsolePage {
    static let template = "console_standings"
    /// Providers change their keys at most so seldom that a set this old should have been fetched anew.
    private static let oldKeySet = 86_400

    struct Entry: Sendable {
        let id: String
        let name: String
        let isHealthy: Bool
        /// As RFC 3339.
        let lastSuccess: String?
        let lastFailure: String?
        /// A stable word.
        let failureReason: String?
        /// In seconds.
        let keySetAge: Int?
        let signIns: Int
        let refusals: Int
        let identities: Int
    }

    let frame: ConsoleFrame?
    let entries: [Entry]

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.nav.providers"), "has_standings": !entries.isEmpty,
            "standings": entries.map { row($0, &writer) },
        ]
    }

    private func row(_ entry: Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        let isUnheard = entry.lastSuccess == nil && entry.lastFailure == nil
        var row: [String: Any] = [
            "icon": Brand.icon(of: entry.id), "style": Brand.style(of: entry.id),
            "provider_name": writer.shown(entry.name), "provider_id": writer.shown(entry.id),
            "is_unheard": isUnheard, "is_healthy": entry.isHealthy && !isUnheard, "is_failing": !entry.isHealthy,
            "identities": "\(entry.identities)",
            "sign_ins": number(entry.signIns, "done", entry, &writer),
            "refusals": number(entry.refusals, "refused", entry, &writer),
        ]
        row.set("success", writer.time(entry.lastSuccess))
        row.set("failure", writer.time(entry.lastFailure))
        row.set("failure_code", writer.shown(ifAny: entry.isHealthy ? nil : entry.failureReason))
        row.set("key_set_age", entry.keySetAge.map { writer.shown(writer.words.duration(seconds: "\($0)")) })
        row.set("is_old", (entry.keySetAge ?? 0) > Self.oldKeySet)
        return row
    }

    /// A count, which leads to the rows of the log that it counts.
    private func number(_ count: Int, _ outcome: String, _ entry: Entry, _ writer: inout ConsoleWriter)
        -> [String: Any]
    {
        [
            "count": "\(count)",
            "address": writer.link(
                AuditLogPage.path, [(name: "provider", value: entry.id), (name: "outcome", value: outcome)]),
        ]
    }
}
