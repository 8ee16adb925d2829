import Pages

extension DeletePage: Page {
    static let template = "delete"

    func masked(by mask: inout TextMask) -> DeletePage {
        let wait = days.map(mask.words.days)
        return DeletePage(
            clientName: mask.shown(clientName), who: mask.shown(ifAny: who), days: mask.shown(ifAny: wait),
            hidden: mask.fields(hidden), problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "delete.heading", client: clientName, problem: problem)
        values["who"] = who
        values["hidden"] = hidden.map(\.values)
        values["waits"] = days.map { ["sentence": words.sentence("delete.waits", ["days": $0])] }
        return values
    }
}
