import HTTPServer
import Providers

/// The looks of providers' buttons on the pages; a provider without a brand gets a plain one.
package enum Brand {
    /// In the order of the ids.
    static let all: [ProviderBrand] = ProviderList.brands.sorted { $0.key < $1.key }.map(\.value)

    package static func isKnown(_ provider: String) -> Bool { ProviderList.brands[provider] != nil }

    /// Whether the provider forbids that its button is an icon beside whole buttons.
    package static func isNeverSmaller(_ provider: String) -> Bool {
        ProviderList.brands[provider]?.isNeverSmaller ?? false
    }

    /// The name of the template with the icon.
    package static func icon(of provider: String) -> String { "icons/\(style(of: provider))" }

    /// The message with the words of the button.
    package static func label(of provider: String) -> String {
        let hasWords = ProviderList.brands[provider]?.labels.isEmpty == false
        return hasWords ? "provider.\(provider)" : "provider.other"
    }

    /// The class in the style sheet.
    package static func style(of provider: String) -> String { isKnown(provider) ? provider : "other" }

    /// The icons, by the names of their templates.
    static var icons: [String: String] {
        Dictionary(uniqueKeysWithValues: all.map { (icon(of: $0.id.rawValue), $0.icon) })
    }

    /// The words of the buttons in a language, by the names of their messages.
    static func labels(in language: Language) -> [String: String] {
        all.reduce(into: [:]) { labels, brand in
            if let label = brand.labels[language.rawValue] { labels["provider.\(brand.id.rawValue)"] = label }
        }
    }

    /// The pages' style rules for the buttons.
    static let styleSheet: String =
        "\n" + all.map { rules(of: $0.id, $0.light) }.joined() + "\n@media (prefers-color-scheme: dark) {\n"
        + all.map { rules(of: $0.id, $0.dark) }.joined() + "}\n"

    private static func rules(of id: ProviderID, _ colours: ProviderBrand.Colours) -> String {
        let button = ".provider.\(id.rawValue)"
        let hoverBorder = colours.hoverBorder.map { "border-color: \($0); " } ?? ""
        let icon = colours.icon.map { "\(button) svg { color: \($0); }\n" } ?? ""
        return """
            \(button) { border-color: \(colours.border); background: \(colours.background); color: \(colours.text); }
            \(button):hover { \(hoverBorder)background: \(colours.hoverBackground); }

            """ + icon
    }
}
