import Cryptography
import HTTPTypes

/// Tokens that tie a form to the browser that it was shown in, so that no other site's page can send it.
///
/// The browser holds a random value in a `SameSite=Lax` cookie; the form carries a MAC over it. A site that can make a
/// browser post here knows neither.
struct FormTokens: Sendable {
    /// The field of the form.
    static let field = "form_token"

    private let keys: [[UInt8]]
    private let random: RandomBytes

    init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("form token")
        self.random = random
    }

    /// A value for a browser that has none.
    func newBrowser() -> String { Base64URL.encode(random(16)) }

    /// Whether a cookie's value may be one of ours: short and URL-safe.
    static func isBrowser(_ value: String) -> Bool {
        value.utf8.count == 22 && Base64URL.decode(value) != nil
    }

    func token(for browser: String) -> String {
        Base64URL.encode(mac(browser, keys[0]))
    }

    func holds(_ token: String?, for browser: String?) -> Bool {
        guard let browser, let presented = token.flatMap({ Base64URL.decode($0) }) else { return false }
        return keys.contains { ConstantTime.equal(mac(browser, $0), presented) }
    }

    /// Whether the browser says that another site sent this (Fetch Metadata, `Origin`).
    ///
    /// Said by the browser alone, so its absence means nothing: the token decides.
    static func isForeign(_ headers: HTTPFields, ownOrigin: String) -> Bool {
        if let site = headers.value(.secFetchSite), site != "same-origin", site != "none" { return true }
        guard let origin = headers.value(.origin), origin != "null" else { return false }
        return origin != ownOrigin
    }

    /// Whether the browser is going somewhere, as opposed to fetching something for a page, which any site can make it
    /// do unseen.
    static func isNavigation(_ headers: HTTPFields) -> Bool {
        headers.value(.secFetchDest).map { $0 == "document" } ?? true
    }

    private func mac(_ browser: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(Array(browser.utf8), key: key).prefix(16))
    }
}

extension HTTPField.Name {
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchDest = known("Sec-Fetch-Dest")
}
