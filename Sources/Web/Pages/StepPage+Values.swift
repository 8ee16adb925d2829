import Pages

extension StepPage: Page {
    static let template = "step"

    func masked(by mask: inout TextMask) -> StepPage {
        StepPage(
            clientName: mask.shown(clientName), kind: kind, door: door, hidden: mask.fields(hidden),
            destination: destination.map { mask.shown($0) }, codeLength: codeLength, minimumLength: minimumLength,
            choices: choices.map { $0.masked(by: &mask) }, authenticator: authenticator.map { $0.masked(by: &mask) },
            passkeyOptions: mask.exact(passkeyOptions), question: mask.shown(question), username: mask.exact(username),
            attributes: attributes.map { $0.masked(by: &mask) },
            onwardAddress: onwardAddress.map { mask.address($0) }, refreshAfter: refreshAfter, code: mask.exact(code),
            email: mask.exact(email),
            phone: mask.exact(phone), isTyped: isTyped, wasResent: wasResent, offersRemembering: offersRemembering,
            isRemembering: isRemembering, helps: helps, backAddress: mask.address(backAddress),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(
            heading: "step.\(kind.rawValue).heading", client: clientName, problem: problem, fields: kind.fields)
        values["heading"] = words.text("step.\(kind.rawValue).heading")
        values["lead"] = lead(in: words)
        values.merge(fields(in: words)) { first, _ in first }
        values["hidden"] = hidden.map(\.values)
        values["action"] = door.rawValue
        values["resend_action"] = door.resendAddress
        values["is_sign_in"] = door == .signIn
        values["was_resent"] = wasResent
        values["can_resend"] = kind.isSent
        values["is_typed"] = isTyped && door == .signIn
        values["help"] = helps ? ["sentence": words.sentence("step.no_factor_help", ["client": clientName])] : nil
        values["offers_remembering"] = offersRemembering
        values["is_remembering"] = isRemembering
        values["has_choices"] = !choices.isEmpty
        values["has_other_choices"] = !choices.isEmpty && (kind.hasForm || kind.isPasskey)
        values["choices"] = choices.map { $0.values(in: words) }
        values["authenticator"] = authenticator?.values
        values["onward_address"] = onwardAddress
        values["refresh_after"] = refreshAfter.map(String.init)
        values["question"] = question.isEmpty ? words.text("field.answer") : question
        values["attributes"] = attributes.indices.map { attributes[$0].values(in: words, number: $0) }
        values["back_address"] = backAddress
        return values
    }

    private func lead(in words: Words) -> [[String: Any]] {
        let length = ["length": String(codeLength)]
        // A provider doesn't always state the destination of its code.
        if kind.isSent, destination == nil { return words.sentence("step.sent_somewhere", numbers: length) }
        // For a known account the sentence needs no "if".
        if kind.isSent, door != .signIn {
            return words.sentence("confirm.lead", ["email": destination ?? ""], numbers: length)
        }
        if kind == .mailSetUp, door != .signIn { return words.sentence("step.mail_set_up.lead_of_account") }
        return words.sentence(
            "step.\(kind.rawValue).lead",
            ["destination": destination ?? "", "client": clientName], numbers: length)
    }

    /// The fields to fill in.
    private func fields(in words: Words) -> [String: Any] {
        [
            "has_form": kind.hasForm, "asks_for_code": kind.asksForCode, "code": code,
            "is_code_empty": code.isEmpty, "username": username, "has_username": !username.isEmpty,
            "asks_for_recovery_code": kind == .recoveryCode, "asks_for_current_password": kind == .password,
            "focuses_password": kind == .password,
            "asks_for_new_password": kind.asksForNewPassword, "asks_for_email": kind.asksForEmail, "email": email,
            "asks_for_phone": kind.asksForPhone, "phone": phone, "asks_for_answer": kind == .challenge,
            "asks_for_password": kind == .password || kind.asksForNewPassword,
            "minimum_length": String(minimumLength),
            "password_hint": words.text("sign_up.password_hint", ["minimum": String(minimumLength)]),
            "asks_for_passkey": kind.isPasskey, "passkey_use": kind == .passkey ? "get" : "create",
            "passkey_label": words.text(kind == .passkey ? "passkey.use" : "passkey.make"),
            "passkey_options": passkeyOptions, "needs_passkey_script": kind.isPasskey,
        ]
    }
}

extension StepPage.Kind {
    /// Whether it has a form with input fields.
    var hasForm: Bool {
        switch self {
        case .chooseFirstFactor, .chooseSecondFactor, .chooseSetUp, .passkey, .passkeySetUp, .elsewhere, .waiting: false
        default: true
        }
    }

    var isPasskey: Bool { self == .passkey || self == .passkeySetUp }

    /// Whether a message was sent, so that it can be resent.
    var isSent: Bool { [.mailedCode, .textedCode, .resetPassword, .resetCode].contains(self) }

    var asksForCode: Bool { isSent || [.authenticatorCode, .authenticatorSetUp].contains(self) }

    var asksForEmail: Bool { [.mailSetUp, .newAddress].contains(self) }

    var asksForPhone: Bool { [.textSetUp, .newNumber].contains(self) }

    /// The fields that can show their own problem.
    fileprivate var fields: Set<FormField> {
        var fields: Set<FormField> = []
        if asksForCode || self == .recoveryCode { fields.insert(.code) }
        if asksForEmail { fields.insert(.email) }
        if asksForPhone { fields.insert(.phone) }
        if self == .password || asksForNewPassword { fields.insert(.password) }
        return fields
    }

    var asksForNewPassword: Bool { [.newPassword, .resetPassword].contains(self) }
}

extension StepPage.Choice {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), kind: (ChoiceKind(rawValue: kind) ?? .other).rawValue, hint: mask.shown(ifAny: hint))
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = ["id": id, "kind": kind, "label": words.text("choice.\(kind)")]
        values["hint"] = hint
        return values
    }
}

extension StepPage.Attribute {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(name: mask.exact(name), label: label.masked(by: &mask), value: mask.exact(value))
    }

    fileprivate func values(in words: Words, number: Int) -> [String: Any] {
        [
            "number": String(number), "attribute_name": name, "label": label.text(in: words),
            "autocomplete": label.autocomplete, "attribute_value": value,
        ]
    }
}

extension StepPage.Authenticator {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(secret: mask.exact(secret), address: mask.address(address), side: side, path: mask.exact(path))
    }

    fileprivate var values: [String: Any] {
        ["secret": secret, "address": address, "side": String(side), "path": path]
    }
}
