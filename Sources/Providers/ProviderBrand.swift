/// The look of a provider's button, by the brand's rules.
package struct ProviderBrand: Sendable {
    /// The colours of the button in one scheme, as CSS writes them.
    package struct Colours: Sendable {
        package let border: String
        package let background: String
        package let text: String
        /// The border under the pointer; nil if it stays the same.
        package let hoverBorder: String?
        package let hoverBackground: String
        /// The colour of the icon; nil for the text's.
        package let icon: String?

        package init(
            border: String, background: String, text: String, hoverBorder: String? = nil, hoverBackground: String,
            icon: String? = nil
        ) {
            (self.border, self.background, self.text) = (border, background, text)
            (self.hoverBorder, self.hoverBackground, self.icon) = (hoverBorder, hoverBackground, icon)
        }
    }

    /// The id of the provider with this look; also its class in the style sheet.
    package let id: ProviderID
    /// One SVG element, 20 pixels wide, hidden from screen readers.
    package let icon: String
    package let light: Colours
    package let dark: Colours
    /// The button texts by language code, if the brand requires its own; all languages or none.
    package let labels: [String: String]

    /// Whether the brand forbids that its button is smaller than others.
    package let isNeverSmaller: Bool

    package init(
        _ id: ProviderID, icon: String, light: Colours, dark: Colours, labels: [String: String] = [:],
        isNeverSmaller: Bool = false
    ) {
        (self.id, self.icon, self.light, self.dark, self.labels) = (id, icon, light, dark, labels)
        self.isNeverSmaller = isNeverSmaller
    }

    /// An icon in one colour.
    ///
    /// - Parameters:
    ///   - path: the shape, in the units of `box`.
    ///   - box: width and height of the drawing.
    static func icon(_ path: String, box: Int = 24) -> String {
        icon(box: box, #"<path fill="currentColor" d="\#(path)"/>"#)
    }

    /// An icon of several shapes.
    static func icon(box: Int, _ shapes: String) -> String {
        #"<svg viewBox="0 0 \#(box) \#(box)" width="20" height="20" aria-hidden="true" focusable="false">"# + shapes
            + "</svg>"
    }
}
