/// `GET /admin/accounts/{id}/split`: the items to move, and the preview of both accounts.
struct SplitPage: ConsolePage {
    static let template = "console_split"

    let frame: ConsoleFrame?
    let account: Facts
    let chosen: [AccountPart]
    /// The number of sessions that would end; nil before the choice, or if the split is impossible.
    let endsSessions: Int?
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let parts = account.accountParts
        var values: [String: Any] = [
            "title": writer.message("console.split.heading"), "face": writer.face(account),
            "target": writer.exact(ConsoleAddress.ofAccount(account.id, "split")),
            "cancel": writer.link(ConsoleAddress.ofAccount(account.id)), "reason": writer.exact(reason),
            "is_previewed": endsSessions != nil, "again": writer.link(ConsoleAddress.ofAccount(account.id, "split")),
            "stays": writer.parts(parts.filter { !chosen.contains($0) }, of: account),
            "gives": rows(parts.filter(chosen.contains), &writer), "parts": rows(parts, &writer),
        ]
        values.set(
            "ends",
            endsSessions.map { ["sentence": writer.sentence("console.confirm.sessions", ["count": "\($0)"])] })
        return values
    }

    private func rows(_ parts: [AccountPart], _ writer: inout ConsoleWriter) -> [[String: Any]] {
        parts.enumerated().map { number, part in
            writer.part(part, of: account).merging(["number": number, "is_chosen": chosen.contains(part)]) {
                first, _ in first
            }
        }
    }
}
