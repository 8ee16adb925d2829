/// Parts that several pages share.
extension HiddenField {
    func masked(by mask: inout TextMask) -> HiddenField {
        HiddenField(name: mask.exact(name), value: mask.exact(value))
    }

    var values: [String: Any] { ["name": name, "value": value] }
}

extension ProviderButton {
    func masked(by mask: inout TextMask) -> ProviderButton {
        ProviderButton(id: mask.provider(id), name: mask.shown(name), address: mask.address(address))
    }

    func values(in words: Words) -> [String: Any] {
        [
            "id": id, "address": address, "icon": Brand.icon(of: id), "style": Brand.style(of: id),
            "label": words.sentence(Brand.label(of: id), ["provider": name]),
        ]
    }
}

extension PageProblem {
    /// A code without a message, or without its arguments, becomes the generic one.
    func masked(by mask: inout TextMask) -> PageProblem {
        guard ProblemCode(rawValue: code) != nil, let arguments = mask.arguments(of: "problem.\(code)", from: arguments)
        else { return PageProblem(ProblemCode.generic.rawValue) }
        return PageProblem(code, arguments, about: field)
    }
}

extension TextMask {
    /// The id of a provider: a brand's stays unmasked, because the button style depends on it.
    mutating func provider(_ id: String) -> String { Brand.isKnown(id) ? id : exact(id) }

    mutating func fields(_ fields: [HiddenField]) -> [HiddenField] {
        var masked: [HiddenField] = []
        masked.reserveCapacity(fields.count)
        for field in fields { masked.append(field.masked(by: &self)) }
        return masked
    }

    mutating func buttons(_ buttons: [ProviderButton]) -> [ProviderButton] {
        var masked: [ProviderButton] = []
        masked.reserveCapacity(buttons.count)
        for button in buttons { masked.append(button.masked(by: &self)) }
        return masked
    }
}
