import Pages

extension ConfirmPage: Page {
    static let template = "confirm"

    func masked(by mask: inout TextMask) -> ConfirmPage {
        ConfirmPage(
            clientName: mask.shown(clientName), hidden: mask.fields(hidden), destination: mask.shown(destination),
            isText: isText,
            codeLength: codeLength, wasResent: wasResent, backAddress: mask.address(backAddress),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        let heading = isText ? "confirm.text_heading" : "confirm.heading"
        var values = words.card(heading: heading, client: clientName, problem: problem, fields: [.code])
        values["heading"] = words.text(heading)
        values["lead"] = words.sentence(
            "confirm.lead", ["email": destination], numbers: ["length": String(codeLength)])
        values["nothing_came"] = words.text(isText ? "confirm.no_text_came" : "confirm.nothing_came")
        values["hidden"] = hidden.map(\.values)
        values["was_resent"] = wasResent
        values["back_address"] = backAddress
        return values
    }
}
