import Pages

/// The sign-in methods without a name: buttons of providers, and a passkey.
struct SignInWays: Sendable, Hashable {
    /// The buttons in sight.
    let providers: [ProviderButton]
    /// The buttons below "Other ways to sign in".
    let others: [ProviderButton]
    /// Nil without passkeys.
    let passkey: PasskeyOffer?
    /// Whether the passkey is below "Other ways to sign in".
    let isPasskeyOther: Bool
    /// Whether the first one in sight is the method used last in this browser.
    let isUsedLast: Bool

    var isEmpty: Bool { providers.isEmpty && others.isEmpty && passkey == nil }
}

extension SignInWays {
    /// The most likely ways in sight: used last in this browser, then the passkey, then the app's order.
    ///
    /// - Parameters:
    ///   - usedLast: the sign-in method used last in this browser.
    ///   - inSight: the number of ways in sight. A single hidden one would only cost a click, so it is in sight as well.
    init(_ buttons: [ProviderButton], _ passkey: PasskeyOffer?, usedLast: String?, inSight: Int) {
        let likely = buttons.filter { $0.id == usedLast } + buttons.filter { $0.id != usedLast }
        let isUsedLast = likely.first.map { $0.id == usedLast } ?? false
        let number = likely.count + (passkey == nil ? 0 : 1)
        let left = number <= inSight + 1 ? number : inSight
        let isPasskeyOther = isUsedLast && left < 2
        let shown = passkey == nil || isPasskeyOther ? left : left - 1
        self.init(
            providers: Array(likely.prefix(shown)), others: Array(likely.dropFirst(shown)), passkey: passkey,
            isPasskeyOther: passkey != nil && isPasskeyOther, isUsedLast: isUsedLast)
    }

    func masked(by mask: inout TextMask) -> Self {
        Self(
            providers: mask.buttons(providers), others: mask.buttons(others),
            passkey: passkey.map { $0.masked(by: &mask) }, isPasskeyOther: isPasskeyOther, isUsedLast: isUsedLast)
    }

    /// For the template `sign_in_ways`.
    func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "has_alternatives": !providers.isEmpty || passkey != nil && !isPasskeyOther,
            "or": words.text(isUsedLast ? "login.used_last" : "login.or"),
            "has_providers": !providers.isEmpty, "providers": providers.map { $0.values(in: words) },
            "has_others": !others.isEmpty || passkey != nil && isPasskeyOther,
            "offers_passkey": passkey != nil, "needs_passkey_script": passkey != nil,
        ]
        if !others.isEmpty { values["others"] = ["providers": others.map { $0.values(in: words) }] }
        values[isPasskeyOther ? "other_passkey" : "likely_passkey"] = passkey?.values
        return values
    }
}
