package import Cryptography

/// Tokens that bind a form to its browser, so that no other site can submit it.
///
/// The browser has a random value in a `SameSite=Lax` cookie; the form carries a MAC over it. Other sites know neither.
package struct FormTokens: Sendable {
    /// The field of the form.
    package static let field = "form_token"

    private let mac: ShortMAC

    package init(keys: MasterKeys) {
        mac = ShortMAC(keys, "form token")
    }

    /// A new value for a browser.
    package func newBrowser() -> String { Base64URL.encode(RandomBytes.system(16)) }

    /// Whether a cookie's value may be one of ours: short and URL-safe.
    package static func isBrowser(_ value: String) -> Bool {
        value.utf8.count == 22 && Base64URL.decode(value) != nil
    }

    package func token(for browser: String) -> String {
        Base64URL.encode(mac.code(Array(browser.utf8)))
    }

    package func holds(_ token: String?, for browser: String?) -> Bool {
        guard let browser, let presented = token.flatMap({ Base64URL.decode($0) }) else { return false }
        return mac.holds(presented, for: Array(browser.utf8))
    }
}
