extension AccountPage: Page {
    static let template = "account"

    func masked(by mask: inout TextMask) -> AccountPage {
        AccountPage(
            name: mask.shown(ifAny: name), email: mask.shown(ifAny: email),
            accountID: mask.shown(accountID), hasPassword: hasPassword,
            identities: identities.map { $0.masked(by: &mask) }, linkable: mask.buttons(linkable),
            addresses: addresses.map { $0.masked(by: &mask) },
            security: security.masked(by: &mask), devices: devices.map { $0.masked(by: &mask) },
            merges: merges.map { $0.masked(by: &mask) }, privacy: privacy.masked(by: &mask),
            hidden: mask.fields(hidden),
            done: done.flatMap { AccountNotice(rawValue: $0)?.rawValue }, problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "title": words.text("account.heading"), "width": "wide", "has_addresses": !addresses.isEmpty,
            "addresses": addresses.indices.map {
                addresses[$0].values(in: words, number: $0, isOnly: isOnly(addresses[$0]))
            },
            "account_id": accountID, "has_password": hasPassword, "hidden": hidden.map(\.values),
            "identities": identities.map { $0.values(in: words) }, "has_linkable": !linkable.isEmpty,
            "linkable": linkable.map { $0.linkValues(in: words) }, "devices": devices.map { $0.values(in: words) },
        ]
        values.merge(security.values(in: words)) { first, _ in first }
        values.merge(privacy.values(in: words)) { first, _ in first }
        values["has_merges"] = !merges.isEmpty
        values["merges"] = merges.map { $0.values(in: words) }
        values["name"] = name
        values["email"] = email
        values["username"] = email
        values["who"] = name ?? email
        values["done"] = done.map { words.text("account.done.\($0)") }
        values.merge(words.values(of: problem, fields: hasPassword ? [.password, .currentPassword] : [])) { first, _ in
            first
        }
        return values
    }

    /// Whether there is no other one of its kind.
    private func isOnly(_ address: Address) -> Bool { addresses.filter { $0.kind == address.kind }.count == 1 }
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

extension AccountPage.Device {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), name: mask.shown(name), clientName: mask.shown(clientName),
            address: mask.shown(ifAny: address), lastUsedAt: mask.date(lastUsedAt), isCurrent: isCurrent)
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "id": id, "device_name": name, "client_name": clientName, "is_current": isCurrent,
            "last_used": words.sentence("account.last_used_on", ["date": lastUsedAt]),
            "end_label": words.text("account.end_of", ["device": name]),
        ]
        values["network_address"] = address
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
