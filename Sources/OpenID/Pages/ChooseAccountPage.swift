import Pages

/// The choice between the account of the browser's session and another one.
struct ChooseAccountPage: Page {
    let clientName: String
    let accountName: String
    let hidden: [HiddenField]
    let otherAddress: String

    static let template = "choose_account"

    func masked(by mask: inout TextMask) -> ChooseAccountPage {
        ChooseAccountPage(
            clientName: mask.shown(clientName), accountName: mask.shown(accountName), hidden: mask.fields(hidden),
            otherAddress: mask.address(otherAddress))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "choose_account.heading", client: clientName, problem: nil)
        values["lead"] = words.sentence("choose_account.lead", ["client": clientName])
        values["continue_as"] = words.sentence("login.continue_as", ["name": accountName])
        values["hidden"] = hidden.map(\.values)
        values["other_address"] = otherAddress
        return values
    }
}
