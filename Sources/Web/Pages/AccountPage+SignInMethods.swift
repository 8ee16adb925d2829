import Pages

extension AccountPage.SignInMethods {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            passkeys: passkeys.map { $0.masked(by: &mask) }, canAddPasskey: canAddPasskey,
            choosesDefault: choosesDefault, hasPassword: hasPassword, minimumPasswordLength: minimumPasswordLength,
            identities: identities.map { $0.masked(by: &mask) }, linkable: mask.buttons(linkable),
            merges: merges.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        [
            "has_passkeys": !passkeys.isEmpty,
            "passkeys": passkeys.map { $0.values(in: words, choosesDefault: choosesDefault) },
            "can_add_passkey": canAddPasskey, "has_more": canAddPasskey || !linkable.isEmpty,
            "has_password": hasPassword, "minimum_length": String(minimumPasswordLength),
            "password_hint": words.text("sign_up.password_hint", ["minimum": String(minimumPasswordLength)]),
            "identities": identities.map { $0.values(in: words) },
            "linkable": linkable.map { $0.linkValues(in: words) }, "has_merges": !merges.isEmpty,
            "merges": merges.map { $0.values(in: words) },
        ]
    }
}

extension AccountPage.Identity {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), provider: mask.provider(provider), providerName: mask.shown(providerName),
            email: mask.shown(ifAny: email), linkedAt: mask.date(linkedAt), isAutomatic: isAutomatic)
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "id": id, "provider_name": providerName, "icon": Brand.icon(of: provider),
            "style": Brand.style(of: provider), "since": words.sentence("account.linked_on", ["date": linkedAt]),
            "unlink_label": words.text("account.unlink_of", ["provider": providerName]),
        ]
        values["identity_email"] = email
        if isAutomatic { values["automatic"] = words.text("account.linked_automatically") }
        return values
    }
}

extension ProviderButton {
    fileprivate func linkValues(in words: Words) -> [String: Any] {
        [
            "id": id, "address": address, "provider_name": name, "icon": Brand.icon(of: id),
            "style": Brand.style(of: id), "link_label": words.text("account.link_of", ["provider": name]),
        ]
    }
}
