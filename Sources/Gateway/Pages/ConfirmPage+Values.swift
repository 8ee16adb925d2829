extension ConfirmPage: Page {
    static let template = "confirm"

    func masked(by mask: inout TextMask) -> ConfirmPage {
        ConfirmPage(
            clientName: mask.shown(clientName), hidden: mask.fields(hidden), maskedEmail: mask.shown(maskedEmail),
            codeLength: codeLength, wasResent: wasResent, problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "confirm.heading", client: clientName, problem: problem)
        values["lead"] = words.sentence("confirm.lead", ["email": maskedEmail, "length": String(codeLength)])
        values["hidden"] = hidden.map(\.values)
        values["was_resent"] = wasResent
        return values
    }
}
