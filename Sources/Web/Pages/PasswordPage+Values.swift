import Pages

extension PasswordPage: Page {
    static let template = "password"

    func masked(by mask: inout TextMask) -> PasswordPage {
        PasswordPage(
            clientName: mask.shown(clientName), hidden: mask.fields(hidden), username: mask.shown(username),
            offersCode: offersCode, passkey: passkey.map { $0.masked(by: &mask) },
            forgotAddress: mask.address(forgotAddress), backAddress: mask.address(backAddress),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(
            heading: "step.password.heading", client: clientName, problem: problem, fields: [.password])
        values["hidden"] = hidden.map(\.values)
        values["username"] = username
        values["focuses_password"] = true
        values["offers_code"] = offersCode
        values["passkey"] = passkey?.values
        values["has_others"] = offersCode || passkey != nil
        values["needs_passkey_script"] = passkey != nil
        values["forgot_address"] = forgotAddress
        values["back_address"] = backAddress
        return values
    }
}

extension PasskeyOffer {
    func masked(by mask: inout TextMask) -> Self {
        Self(hidden: mask.fields(hidden), options: mask.exact(options), isSuggested: isSuggested)
    }

    var values: [String: Any] {
        ["hidden": hidden.map(\.values), "options": options, "use": isSuggested ? "suggest" : "offer"]
    }
}
