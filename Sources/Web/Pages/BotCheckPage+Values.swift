import Pages

extension BotCheckPage: Page {
    static let template = "bot_check"

    func masked(by mask: inout TextMask) -> BotCheckPage {
        BotCheckPage(
            clientName: mask.shown(clientName), action: mask.address(action), hidden: mask.fields(hidden),
            backAddress: mask.address(backAddress), problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "bot_check.heading", client: clientName, problem: problem)
        values["action"] = action
        values["hidden"] = hidden.map(\.values)
        values["back_address"] = backAddress
        return values
    }
}
