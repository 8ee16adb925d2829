import Pages

extension SignUpPage: Page {
    static let template = "sign_up"

    func masked(by mask: inout TextMask) -> SignUpPage {
        SignUpPage(
            clientName: mask.shown(clientName), ways: ways.masked(by: &mask), hidden: mask.fields(hidden),
            contacts: contacts.map { .init(kind: $0.kind, isRequired: $0.isRequired, value: mask.exact($0.value)) },
            asksForPassword: asksForPassword, offersCode: offersCode, displayName: mask.exact(displayName),
            attributes: attributes.map { $0.masked(by: &mask) }, minimumLength: minimumLength,
            otherNames: otherNames.map { .init(kind: $0.kind, address: mask.address($0.address)) },
            loginAddress: mask.address(loginAddress), problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "sign_up.heading", client: clientName, problem: problem)
        values["lead"] = words.sentence("lead.client", ["client": clientName])
        values.merge(ways.values(in: words)) { first, _ in first }
        values["has_form"] = !contacts.isEmpty
        values["is_closed"] = contacts.isEmpty && ways.isEmpty
        values["hidden"] = hidden.map(\.values)
        values["is_about_no_field"] = problem != nil && !problemHasField
        values["contacts"] = contacts.map(\.values)
        values["display_name"] = displayName
        values["attributes"] = attributes.indices.map { attributes[$0].values(in: words, number: $0) }
        values["minimum_length"] = String(minimumLength)
        values["password_hint"] = words.text("sign_up.password_hint", ["minimum": String(minimumLength)])
        values["login_address"] = loginAddress
        values["asks_for_password"] = asksForPassword
        values["has_code"] = offersCode || !asksForPassword
        values["offers_code"] = offersCode
        values["other_names"] = otherNames.map { $0.values(in: words) }
        return values
    }

    /// Whether the problem appears next to a field, not above the form.
    private var problemHasField: Bool {
        guard let field = problem?.field else { return attributes.contains(where: \.isConcerned) }
        switch field {
        case .password: return asksForPassword
        case .displayName: return true
        default: return contacts.contains { $0.kind.rawValue == field.rawValue }
        }
    }
}

extension SignUpPage.Contact {
    fileprivate var values: [String: Any] {
        ["field": "sign_up_\(kind.rawValue)", "value": value, "is_required": isRequired]
    }
}

extension SignUpPage.OtherName {
    fileprivate func values(in words: Words) -> [String: Any] {
        ["kind": kind.rawValue, "address": address, "label": words.text("sign_up.with_\(kind.rawValue)")]
    }
}

extension SignUpPage.Attribute {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        let hasFewValues = [.tick, .answer].contains(kind)
        return Self(
            name: mask.exact(name), label: label.masked(by: &mask), kind: kind, isRequired: isRequired,
            value: hasFewValues ? (["true", "false"].contains(value) ? value : "") : mask.exact(value),
            isConcerned: isConcerned)
    }

    fileprivate func values(in words: Words, number: Int) -> [String: Any] {
        [
            "number": String(number), "attribute_name": name, "label": label.text(in: words),
            "autocomplete": label.autocomplete, "is_tick": kind == .tick, "is_answer": kind == .answer,
            "is_line": ![.tick, .answer].contains(kind), "type": kind.rawValue, "is_number": kind == .number,
            "is_required": isRequired, "value": value, "is_yes": value == "true", "is_no": value == "false",
            "is_concerned": isConcerned,
        ]
    }
}
