/// Providers with a look of their own, as their rules for buttons ask; every other one gets a plain button.
enum Brand: String, CaseIterable, Sendable {
    case apple, google, microsoft, amazon, github

    /// Templates of the icons are named after them.
    static func icon(of provider: String) -> String { "icons/\(Brand(rawValue: provider)?.rawValue ?? "other")" }

    /// What the button says, in the words that the brand asks for.
    static func label(of provider: String) -> String { "provider.\(Brand(rawValue: provider)?.rawValue ?? "other")" }

    /// What the style sheet knows it by.
    static func style(of provider: String) -> String { Brand(rawValue: provider)?.rawValue ?? "other" }
}
