import Pages

/// The label of an attribute's field.
enum AttributeLabel: Sendable, Hashable {
    case known(KnownAttribute)
    /// The operator's text, or a provider's name.
    case other(String)

    func masked(by mask: inout TextMask) -> Self {
        switch self {
        case .known: self
        case .other(let text): .other(mask.shown(text))
        }
    }

    func text(in words: Words) -> String {
        switch self {
        case .known(let attribute): words.text("attribute.\(attribute.rawValue)")
        case .other(let text): text
        }
    }

    var autocomplete: String {
        switch self {
        case .known(let attribute): attribute.autocomplete
        case .other: "off"
        }
    }
}
