import Pages

/// Parts that several hosted pages share.
extension ProviderButton {
    func masked(by mask: inout TextMask) -> ProviderButton {
        ProviderButton(id: mask.provider(id), name: mask.shown(name), address: mask.address(address))
    }

    func values(in words: Words) -> [String: Any] {
        [
            "id": id, "address": address, "icon": Brand.icon(of: id), "style": Brand.style(of: id),
            "label": words.sentence(Brand.label(of: id), ["provider": name]),
            "name": words.text(Brand.label(of: id), ["provider": name]),
        ]
    }
}

extension TextMask {
    /// The id of a provider: a brand's stays unmasked, because the button style depends on it.
    mutating func provider(_ id: String) -> String { Brand.isKnown(id) ? id : exact(id) }

    mutating func buttons(_ buttons: [ProviderButton]) -> [ProviderButton] {
        var masked: [ProviderButton] = []
        masked.reserveCapacity(buttons.count)
        for button in buttons { masked.append(button.masked(by: &self)) }
        return masked
    }
}
