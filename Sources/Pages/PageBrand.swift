package import Clients

/// The operator's identity on a page.
///
/// It is part of the document, not one of its texts: each app has one brand.
package struct PageBrand: Sendable, Hashable {
    let brand: ClientBrand

    package init(_ brand: ClientBrand) { self.brand = brand }

    /// The sources of images for the page's `Content-Security-Policy`.
    package var imageSources: [String] { [brand.logo, brand.darkLogo].compactMap { $0 } }

    /// For the template `document`, and for `mark` in place of the gateway's own.
    var values: [String: Any] {
        var values: [String: Any] = ["has_links": [brand.terms, brand.privacy, brand.support].contains { $0 != nil }]
        values["accent_css"] = AccentStyle(brand).map { PageAssets.path + $0.fileName }
        values["logo"] = brand.logo.map { logo in
            brand.darkLogo.map { ["light": logo, "dark": $0] } ?? ["light": logo]
        }
        values["terms_address"] = brand.terms
        values["privacy_address"] = brand.privacy
        values["support_address"] = brand.support
        return values
    }
}
