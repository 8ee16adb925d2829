extension AccountPage.Address {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            kind: kind, text: mask.exact(text), isProved: isProved, isMain: isMain, isRelay: isRelay,
            isUndeliverable: isUndeliverable)
    }

    /// - Parameter isOnly: whether the account has no other one of its kind.
    func values(in words: Words, number: Int, isOnly: Bool) -> [String: Any] {
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
