import Clients

/// The style sheet with an app's accent colours; its name is its content.
package struct AccentStyle: Sendable, Hashable {
    let light: AccentColour
    let dark: AccentColour

    /// Nil for a brand without a colour.
    init?(_ brand: ClientBrand) {
        guard let accent = brand.accent else { return nil }
        (light, dark) = (accent, brand.darkAccent ?? accent.forDarkGround)
    }

    /// Parses a file name, such as `accent.2456d6.8fb1ff.css`; nil for any other one.
    package init?(fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "accent", parts[3] == "css", let light = AccentColour("#\(parts[1])"),
            let dark = AccentColour("#\(parts[2])"), "accent.\(parts[1]).\(parts[2]).css" == fileName
        else { return nil }
        (self.light, self.dark) = (light, dark)
    }

    var fileName: String { "accent.\(light.text.dropFirst()).\(dark.text.dropFirst()).css" }

    package var styleSheet: String {
        """
        :root { \(Self.rules(light, hover: light.mixed(with: .black, share: 0.15))) }
        @media (prefers-color-scheme: dark) { :root { \(Self.rules(dark, hover: dark.mixed(with: .white, share: 0.2))) } }

        """
    }

    /// The text on the hover colour is readable too: hovering moves the colour away from its text.
    private static func rules(_ accent: AccentColour, hover: AccentColour) -> String {
        "--accent: \(accent.text); --accent-hover: \(hover.text); --on-accent: \(accent.textColour.text); --link: \(accent.text);"
    }
}
