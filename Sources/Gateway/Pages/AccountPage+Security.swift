extension AccountPage.Security {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            factors: factors.map { $0.masked(by: &mask) }, canAddPasskey: canAddPasskey,
            canAddPhone: canAddPhone, recoveryCodesLeft: mask.shown(ifAny: recoveryCodesLeft),
            minimumPasswordLength: minimumPasswordLength,
            remembered: remembered.map { $0.masked(by: &mask) },
            removalDue: removalDue.map { mask.shown(mask.words.moment($0)) })
    }

    func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "has_factors": !factors.isEmpty,
            "factors": factors.map { $0.values(in: words, isOnly: factors.count == 1) },
            "can_add_passkey": canAddPasskey, "can_add_phone": canAddPhone,
            "minimum_length": String(minimumPasswordLength),
            "password_hint": words.text("sign_up.password_hint", ["minimum": String(minimumPasswordLength)]),
            "has_remembered": !remembered.isEmpty, "remembered": remembered.map { $0.values(in: words) },
        ]
        values["removal_due"] = removalDue.map { date in
            ["sentence": words.sentence("account.removal_due", ["date": date])]
        }
        values["recovery_codes_left"] = recoveryCodesLeft.map { left in
            ["sentence": words.sentence("account.codes_left", ["count": left])]
        }
        return values
    }
}

extension AccountPage.Factor {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), kind: (ChoiceKind(rawValue: kind) ?? .other).rawValue,
            detail: mask.shown(ifAny: detail),
            addedAt: mask.date(addedAt), isPreferred: isPreferred)
    }

    fileprivate func values(in words: Words, isOnly: Bool) -> [String: Any] {
        let label = words.text("choice.\(kind)")
        var values: [String: Any] = [
            "id": id, "label": label, "is_preferred": isPreferred, "can_be_preferred": !isPreferred && !isOnly,
            "icon": kind == ChoiceKind.passkey.rawValue ? "icons/password" : "icons/device",
            "added": words.sentence("account.added_on", ["date": addedAt]),
            "prefer_label": words.text("account.prefer_of", ["factor": label]),
            "remove_label": words.text("account.remove_of", ["factor": label]),
        ]
        values["detail"] = detail
        return values
    }
}

extension AccountPage.RememberedDevice {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(id: mask.exact(id), name: mask.shown(ifAny: name), expiresAt: mask.date(expiresAt))
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        let name = name ?? words.text("account.unnamed_device")
        return [
            "id": id, "device_name": name, "until": words.sentence("account.asked_again_on", ["date": expiresAt]),
            "forget_label": words.text("account.forget_of", ["device": name]),
        ]
    }
}
