/// Parts that several pages share.
extension HiddenField {
    func masked(by mask: inout TextMask) -> HiddenField {
        HiddenField(name: mask.exact(name), value: mask.exact(value))
    }

    package var values: [String: Any] { ["name": name, "value": value] }
}

extension PageProblem {
    /// A code without a message, or without its arguments, becomes the generic one.
    package func masked(by mask: inout TextMask) -> PageProblem {
        guard ProblemCode(rawValue: code) != nil, let arguments = mask.arguments(of: "problem.\(code)", from: arguments)
        else { return PageProblem(ProblemCode.generic.rawValue) }
        return PageProblem(code, arguments, about: field)
    }
}

extension TextMask {
    package mutating func fields(_ fields: [HiddenField]) -> [HiddenField] {
        var masked: [HiddenField] = []
        masked.reserveCapacity(fields.count)
        for field in fields { masked.append(field.masked(by: &self)) }
        return masked
    }
}
