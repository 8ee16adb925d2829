extension SignOutPage: Page {
    static let template = "sign_out"

    func masked(by mask: inout TextMask) -> SignOutPage {
        SignOutPage(clientName: mask.shown(clientName), hidden: mask.fields(hidden))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "account.sign_out", client: clientName, problem: nil)
        values["lead"] = words.sentence("sign_out.lead", ["client": clientName])
        values["hidden"] = hidden.map(\.values)
        return values
    }
}
