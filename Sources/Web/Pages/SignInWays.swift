import Pages

/// The sign-in methods without a name: buttons of providers, and a passkey.
struct SignInWays: Sendable, Hashable {
    /// The whole buttons.
    let providers: [ProviderButton]
    /// The buttons in the row of icons below them.
    let icons: [ProviderButton]
    /// The buttons below "Other ways to sign in".
    let others: [ProviderButton]
    /// Nil without passkeys.
    let passkey: PasskeyOffer?
    /// Whether the first button is the method used last in this browser.
    let isUsedLast: Bool

    var isEmpty: Bool { providers.isEmpty && passkey == nil }
}

extension SignInWays {
    /// The greatest numbers of whole buttons and of icons, which fit in one row on a phone.
    private static let (mostButtons, mostIcons) = (3, 6)

    /// The providers in the app's order, after the one used last in this browser.
    ///
    /// - Parameter usedLast: the sign-in method used last in this browser.
    init(_ buttons: [ProviderButton], _ passkey: PasskeyOffer?, usedLast: String?) {
        let likely = buttons.filter { $0.id == usedLast } + buttons.filter { $0.id != usedLast }
        let whole = Self.wholeButtons(likely)
        let rest = likely.filter { !whole.contains($0) }
        // An icon without a brand would say nothing.
        let icons = Array(rest.filter { Brand.isKnown($0.id) }.prefix(Self.mostIcons))
        self.init(
            providers: whole, icons: icons, others: rest.filter { !icons.contains($0) }, passkey: passkey,
            isUsedLast: likely.first.map { $0.id == usedLast } ?? false)
    }

    /// The first buttons; the last one gives way to a brand that may not be smaller than others.
    private static func wholeButtons(_ likely: [ProviderButton]) -> [ProviderButton] {
        let first = Array(likely.prefix(mostButtons))
        let later = likely.dropFirst(mostButtons).first { Brand.isNeverSmaller($0.id) }
        return later.map { first.dropLast() + [$0] } ?? first
    }

    func masked(by mask: inout TextMask) -> Self {
        Self(
            providers: mask.buttons(providers), icons: mask.buttons(icons), others: mask.buttons(others),
            passkey: passkey.map { $0.masked(by: &mask) }, isUsedLast: isUsedLast)
    }

    /// For the template `sign_in_ways`.
    func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "has_alternatives": !isEmpty, "or": words.text(isUsedLast ? "login.used_last" : "login.or"),
            "has_providers": !providers.isEmpty, "providers": providers.map { $0.values(in: words) },
            "has_icons": !icons.isEmpty, "icons": icons.map { $0.values(in: words) },
            "offers_passkey": passkey != nil, "needs_passkey_script": passkey != nil,
        ]
        if !others.isEmpty { values["others"] = ["providers": others.map { $0.values(in: words) }] }
        values["passkey"] = passkey?.values
        return values
    }
}
