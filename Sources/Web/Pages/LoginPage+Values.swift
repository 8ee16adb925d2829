import Pages

extension LoginPage: Page {
    static let template = "login"

    func masked(by mask: inout TextMask) -> LoginPage {
        LoginPage(
            clientName: mask.shown(clientName), nameForm: nameForm.map { $0.masked(by: &mask) },
            ways: ways.masked(by: &mask), problem: problem.map { $0.masked(by: &mask) },
            signedInAs: signedInAs.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        let fields: Set<FormField> = nameForm == nil ? [] : [.email, .username]
        var values = words.card(heading: "login.heading", client: clientName, problem: problem, fields: fields)
        values["lead"] = words.sentence("lead.client", ["client": clientName])
        values["name_form"] = nameForm?.values
        if let names = nameForm?.names { values.merge(words.values(of: names)) { first, _ in first } }
        values["is_name_wrong"] = problem?.field.map(fields.contains) ?? false
        values["focuses_name"] = signedInAs == nil
        values.merge(ways.values(in: words)) { first, _ in first }
        values["signed_in_as"] = signedInAs?.values(in: words)
        return values
    }
}

extension LoginPage.NameForm {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            hidden: mask.fields(hidden), names: names, username: mask.exact(username),
            asksForPassword: asksForPassword, signUpAddress: signUpAddress.map { mask.address($0) },
            offersReset: offersReset)
    }

    fileprivate var values: [String: Any] {
        var values: [String: Any] = [
            "hidden": hidden.map(\.values), "username": username, "has_password": asksForPassword,
            "offers_reset": offersReset,
        ]
        values["sign_up_address"] = signUpAddress
        return values
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
