extension ForgotPage: Page {
    static let template = "forgot"

    func masked(by mask: inout TextMask) -> ForgotPage {
        ForgotPage(
            clientName: mask.shown(clientName), providers: mask.buttons(providers),
            loginAddress: mask.address(loginAddress))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "forgot.heading", client: clientName, problem: nil)
        values["has_providers"] = !providers.isEmpty
        values["providers"] = providers.map { $0.values(in: words) }
        values["ask_for_help"] = words.sentence("forgot.ask_for_help", ["client": clientName])
        values["login_address"] = loginAddress
        return values
    }
}
