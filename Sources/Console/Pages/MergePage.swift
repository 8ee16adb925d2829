/// `GET /admin/accounts/{id}/merge`: the preview of a merge.
struct MergePage: ConsolePage {
    static let template = "console_merge"

    let frame: ConsoleFrame?
    let kept: Facts
    /// Nil until the other account is chosen.
    let absorbed: Facts?
    let suggestions: [Facts]
    let typed: String
    /// The preview; nil if the merge is impossible.
    let preview: Preview?
    let reason: String

    struct Preview: Sendable {
        let report: Facts
        let digest: String
    }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.merge.heading"), "kept": side(kept, &writer),
            "target": writer.exact(ConsoleAddress.ofAccount(kept.id, "merge")), "typed": writer.exact(typed),
            "cancel": writer.link(ConsoleAddress.ofAccount(kept.id)), "reason": writer.exact(reason),
        ]
        values.set("absorbed", absorbed.map { side($0, &writer) })
        values["has_suggestions"] = absorbed == nil && !suggestions.isEmpty
        values["suggestions"] = suggestions.map { other in
            writer.face(other).merging([
                "choose": writer.link(ConsoleAddress.ofAccount(kept.id, "merge"), [(name: "with", value: other.id)])
            ]) { first, _ in first }
        }
        if let absorbed {
            values["absorbed_id"] = writer.exact(absorbed.id)
            values["swap"] = writer.link(
                ConsoleAddress.ofAccount(absorbed.id, "merge"), [(name: "with", value: kept.id)])
        }
        values.set("preview", preview.flatMap { preview in absorbed.map { shown(preview, $0, &writer) } })
        return values
    }

    private func side(_ account: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        writer.face(account).merging(["parts": writer.parts(account.accountParts, of: account)]) { first, _ in first }
    }

    private func shown(_ preview: Preview, _ absorbed: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        let report = preview.report
        let moves = absorbed.accountParts.filter { $0.isListed(in: report.part("moves")) }
        let left = absorbed.accountParts.filter { !$0.isListed(in: report.part("moves")) }
        var values: [String: Any] = [
            "digest": writer.exact(preview.digest), "has_moves": !moves.isEmpty, "has_left": !left.isEmpty,
            "moves": writer.parts(moves, of: absorbed), "left": writer.parts(left, of: absorbed),
            "ends": ["sentence": count("console.confirm.sessions", report.number("ends_sessions"), &writer)],
        ]
        let joins = report.number("joins_proofs")
        values.set("joins", joins == 0 ? nil : ["sentence": count("console.merge.joins", joins, &writer)])
        let gains = report.part("after").part("kept").flag("mfa") && !report.part("before").part("kept").flag("mfa")
        values["gains_factor"] = gains
        let name = kept["user_name"] == nil ? absorbed["user_name"] : nil
        values.set(
            "user_name", name.map { ["sentence": writer.sentence("console.merge.user_name", ["name": $0])] })
        return values
    }

    private func count(_ key: String, _ number: Int, _ writer: inout ConsoleWriter) -> [[String: Any]] {
        writer.sentence(key, ["count": "\(number)"])
    }
}
