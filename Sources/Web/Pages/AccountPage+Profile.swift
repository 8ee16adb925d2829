import Pages

extension AccountPage.Profile {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            accountID: mask.shown(accountID), addresses: addresses.map { $0.masked(by: &mask) },
            canAddPhone: canAddPhone)
    }

    func values(in words: Words) -> [String: Any] {
        [
            "account_id": accountID, "has_addresses": !addresses.isEmpty, "can_add_phone": canAddPhone,
            "addresses": addresses.indices.map {
                addresses[$0].values(in: words, number: $0, isOnly: isOnly(addresses[$0]))
            },
        ]
    }

    /// Whether there is no other one of its kind.
    private func isOnly(_ address: AccountPage.Address) -> Bool {
        addresses.filter { $0.kind == address.kind }.count == 1
    }
}

extension AccountPage.Address {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            kind: kind, text: mask.exact(text), isProved: isProved, isMain: isMain, isRelay: isRelay,
            isUndeliverable: isUndeliverable)
    }

    /// - Parameter isOnly: whether the account has no other one of its kind.
    fileprivate func values(in words: Words, number: Int, isOnly: Bool) -> [String: Any] {
        [
            "number": String(number), "kind": kind.rawValue, "text": text, "is_proved": isProved,
            "is_main": isMain && !isOnly,
            "is_relay": isRelay, "is_undeliverable": isUndeliverable, "can_be_proved": !isProved && !isRelay,
            "can_be_main": isProved && !isMain,
            "icon": kind == .email ? "icons/mail" : "icons/phone",
            "prove_label": words.text("account.prove_of", ["address": text]),
            "main_label": words.text("account.make_main_of", ["address": text]),
            "remove_label": words.text("account.remove_address_of", ["address": text]),
        ]
    }
}
