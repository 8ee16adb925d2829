extension LoginPage: Page {
    static let template = "login"

    func masked(by mask: inout TextMask) -> LoginPage {
        LoginPage(
            clientName: mask.shown(clientName), providers: mask.buttons(providers),
            nameForm: nameForm.map { $0.masked(by: &mask) }, passkey: passkey.map { $0.masked(by: &mask) },
            problem: problem.map { $0.masked(by: &mask) }, signedInAs: signedInAs.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "login.heading", client: clientName, problem: problem)
        values["lead"] = words.sentence("lead.client", ["client": clientName])
        values["has_providers"] = !providers.isEmpty
        values["providers"] = providers.map { $0.values(in: words) }
        values["name_form"] = nameForm?.values
        if let names = nameForm?.names { values.merge(words.values(of: names)) { first, _ in first } }
        values["asks_for_password"] = nameForm?.asksForPassword ?? false
        values["passkey"] = passkey?.values
        values["offers_passkey"] = passkey != nil
        values["needs_passkey_script"] = passkey != nil
        values["signed_in_as"] = signedInAs?.values(in: words)
        return values
    }
}

extension LoginPage.NameForm {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            hidden: mask.fields(hidden), names: names, username: mask.exact(username),
            asksForPassword: asksForPassword, offersCode: offersCode,
            signUpAddress: signUpAddress.map { mask.address($0) },
            forgotAddress: mask.address(forgotAddress))
    }

    fileprivate var values: [String: Any] {
        var values: [String: Any] = [
            "hidden": hidden.map(\.values), "username": username, "forgot_address": forgotAddress,
            "has_password": asksForPassword, "offers_code": offersCode,
        ]
        values["sign_up_address"] = signUpAddress
        return values
    }
}

extension LoginPage.Passkey {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(hidden: mask.fields(hidden), options: mask.exact(options), isSuggested: isSuggested)
    }

    fileprivate var values: [String: Any] {
        ["hidden": hidden.map(\.values), "options": options, "use": isSuggested ? "suggest" : "offer"]
    }
}

extension LoginPage.SignedInAs {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(name: mask.shown(name), continueAddress: mask.address(continueAddress), hidden: mask.fields(hidden))
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        [
            "continue_address": continueAddress, "hidden": hidden.map(\.values),
            "continue_as": words.sentence("login.continue_as", ["name": name]),
        ]
    }
}
