import Pages

extension LinkPage: Page {
    static let template = "link"

    func masked(by mask: inout TextMask) -> LinkPage {
        LinkPage(
            clientName: mask.shown(clientName), providerName: mask.shown(providerName),
            maskedEmail: mask.shown(maskedEmail), hidden: mask.fields(hidden), providers: mask.buttons(providers),
            allowsPassword: allowsPassword, offersCode: offersCode, names: names, username: mask.exact(username),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        let fields: Set<FormField> = allowsPassword || offersCode ? [.email, .username] : []
        var values = words.card(heading: "link.heading", client: clientName, problem: problem, fields: fields)
        values["is_name_wrong"] = problem?.field.map(fields.contains) ?? false
        values["lead"] = words.sentence("link.lead", ["email": maskedEmail, "provider": providerName])
        values["hidden"] = hidden.map(\.values)
        values["has_providers"] = !providers.isEmpty
        values["providers"] = providers.map { $0.values(in: words) }
        values["name_form"] = allowsPassword || offersCode
        values["allows_password"] = allowsPassword
        values["offers_code"] = offersCode
        values["username"] = username
        values.merge(words.values(of: names)) { first, _ in first }
        return values
    }
}
