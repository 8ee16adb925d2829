extension SignUpPage: Page {
    static let template = "sign_up"

    func masked(by mask: inout TextMask) -> SignUpPage {
        SignUpPage(
            clientName: mask.shown(clientName), hidden: mask.fields(hidden), email: mask.exact(email),
            displayName: mask.exact(displayName), minimumLength: minimumLength,
            loginAddress: mask.address(loginAddress), problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "sign_up.heading", client: clientName, problem: problem)
        values["lead"] = words.sentence("lead.client", ["client": clientName])
        values["hidden"] = hidden.map(\.values)
        values["email"] = email
        values["display_name"] = displayName
        values["minimum_length"] = String(minimumLength)
        values["password_hint"] = words.text("sign_up.password_hint", ["minimum": String(minimumLength)])
        values["login_address"] = loginAddress
        values["asks_for_password"] = true
        return values
    }
}
