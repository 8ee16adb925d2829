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
        var rest = buttons
        let last = usedLast.flatMap { id in rest.firstIndex { $0.id == id } }
        if let last { rest.insert(rest.remove(at: last), at: 0) }
        let whole = Self.takeWholeButtons(&rest)
        var (icons, others): ([ProviderButton], [ProviderButton]) = ([], [])
        for button in rest {
            // An icon without a brand would say nothing.
            let isIcon = icons.count < Self.mostIcons && Brand.isKnown(button.id)
            if isIcon { icons.append(button) } else { others.append(button) }
        }
        self.init(providers: whole, icons: icons, others: others, passkey: passkey, isUsedLast: last != nil)
    }

    /// Removes the first buttons; the last of them stays in favour of a brand that may not be smaller than others.
    private static func takeWholeButtons(_ likely: inout [ProviderButton]) -> [ProviderButton] {
        let later = likely.indices.dropFirst(mostButtons).first { Brand.isNeverSmaller(likely[$0].id) }
        if let later { likely.insert(likely.remove(at: later), at: mostButtons - 1) }
        let whole = Array(likely.prefix(mostButtons))
        likely.removeFirst(whole.count)
        return whole
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
