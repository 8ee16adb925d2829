import Pages

extension AccountPage.TwoStep {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            factors: factors.map { $0.masked(by: &mask) }, choosesDefault: choosesDefault, canAddPhone: canAddPhone,
            recoveryCodesLeft: mask.shown(ifAny: recoveryCodesLeft))
    }

    func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "has_factors": !factors.isEmpty,
            "factors": factors.map { $0.values(in: words, choosesDefault: choosesDefault) },
            "can_add_phone": canAddPhone,
        ]
        values["recovery_codes_left"] = recoveryCodesLeft.map { left in
            ["sentence": words.sentence("account.codes_left", ["count": left])]
        }
        return values
    }
}

extension AccountPage.Factor {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), kind: (ChoiceKind(rawValue: kind) ?? .other).rawValue,
            detail: mask.shown(ifAny: detail),
            addedAt: mask.date(addedAt), isPreferred: isPreferred)
    }

    /// - Parameter choosesDefault: whether one of several factors is the default.
    func values(in words: Words, choosesDefault: Bool) -> [String: Any] {
        let label = words.text("choice.\(kind)")
        var values: [String: Any] = [
            "id": id, "label": label, "is_preferred": isPreferred, "can_be_preferred": !isPreferred && choosesDefault,
            "icon": kind == ChoiceKind.passkey.rawValue ? "icons/password" : "icons/device",
            "added": words.sentence("account.added_on", ["date": addedAt]),
            "prefer_label": words.text("account.prefer_of", ["factor": label]),
            "remove_label": words.text("account.remove_of", ["factor": label]),
        ]
        values["detail"] = detail
        return values
    }
}
