package import Cryptography

/// Tokens that tie a form to the browser that it was shown in, so that no other site's page can send it.
///
/// The browser holds a random value in a `SameSite=Lax` cookie; the form carries a MAC over it. A site that can make a
/// browser post here knows neither.
package struct FormTokens: Sendable {
    /// The field of the form.
    package static let field = "form_token"

    private let keys: [[UInt8]]
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("form token")
        self.random = random
    }

    /// A value for a browser that has none.
    package func newBrowser() -> String { Base64URL.encode(random(16)) }

    /// Whether a cookie's value may be one of ours: short and URL-safe.
    package static func isBrowser(_ value: String) -> Bool {
        value.utf8.count == 22 && Base64URL.decode(value) != nil
    }

    package func token(for browser: String) -> String {
        Base64URL.encode(mac(browser, keys[0]))
    }

    package func holds(_ token: String?, for browser: String?) -> Bool {
        guard let browser, let presented = token.flatMap({ Base64URL.decode($0) }) else { return false }
        return keys.contains { ConstantTime.equal(mac(browser, $0), presented) }
    }

    private func mac(_ browser: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(Array(browser.utf8), key: key).prefix(16))
    }
}
