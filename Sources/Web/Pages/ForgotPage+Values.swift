import Pages

extension ForgotPage: Page {
    static let template = "forgot"

    func masked(by mask: inout TextMask) -> ForgotPage {
        ForgotPage(
            clientName: mask.shown(clientName), ways: ways.masked(by: &mask),
            nameForm: nameForm.map { $0.masked(by: &mask) }, loginAddress: mask.address(loginAddress),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        let fields: Set<FormField> = nameForm == nil ? [] : [.email, .username]
        var values = words.card(heading: "forgot.heading", client: clientName, problem: problem, fields: fields)
        values["is_name_wrong"] = problem?.field.map(fields.contains) ?? false
        values.merge(ways.values(in: words)) { first, _ in first }
        values["ask_for_help"] = words.sentence("forgot.ask_for_help", ["client": clientName])
        values["name_form"] = nameForm?.values
        if let names = nameForm?.names {
            values["name_lead"] = words.text(names.kinds == [.email] ? "forgot.lead" : "forgot.lead_of_name")
            values.merge(words.values(of: names)) { first, _ in first }
        }
        values["has_way"] = nameForm != nil || !ways.isEmpty
        values["login_address"] = loginAddress
        return values
    }
}

extension ForgotPage.NameForm {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(hidden: mask.fields(hidden), names: names, username: mask.exact(username))
    }

    fileprivate var values: [String: Any] { ["hidden": hidden.map(\.values), "username": username] }
}
