package import HTTPTypes

/// The cookies of a request (RFC 6265 §5.4, RFC 9113 §8.2.3: there may be several fields).
package struct RequestCookies: Sendable {
    private let pairs: [(name: Substring, value: Substring)]

    package init(_ headers: HTTPFields) {
        var pairs: [(name: Substring, value: Substring)] = []
        for field in headers where field.name == .cookie {
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                pairs.append((Substring(pair[..<equals]), Substring(pair[equals...].dropFirst())))
            }
        }
        self.pairs = pairs
    }

    /// The names in the order of the request, which is the order of their creation (RFC 6265 §5.4).
    package func names(withPrefix prefix: String) -> [String] {
        pairs.map { String($0.name) }.filter { $0.hasPrefix(prefix) }
    }

    /// The cookie of this name; nil if it is absent or not unique.
    ///
    /// If several cookies have one name, we cannot identify ours.
    package subscript(_ name: String) -> String? {
        let found = pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return found.count == 1 ? String(found[0].value) : nil
    }
}

/// A cookie to set.
///
/// Every cookie of ours is `__Host-`, `Secure` and `HttpOnly`, and is valid for exactly one host.
package struct SetCookie: Sendable, Equatable {
    package enum SameSite: String, Sendable {
        case lax = "Lax"
        /// Only for the cookie of a redirect: a provider's answer may be a cross-site form post.
        case none = "None"
    }

    package let name: String
    let value: String
    let sameSite: SameSite
    /// In seconds; 0 deletes the cookie, nil keeps it until the browser closes.
    let life: Int?

    package init(name: String, value: String, sameSite: SameSite, life: Int?) {
        (self.name, self.value, self.sameSite, self.life) = (name, value, sameSite, life)
    }

    package var field: HTTPField {
        let age = life.map { "; Max-Age=\($0)" } ?? ""
        return HTTPField(
            name: .setCookie, value: "\(name)=\(value); Path=/; Secure; HttpOnly; SameSite=\(sameSite.rawValue)\(age)")
    }

    package static func removed(_ name: String, sameSite: SameSite = .lax) -> SetCookie {
        SetCookie(name: name, value: "", sameSite: sameSite, life: 0)
    }
}

/// The names of our cookies; `WebFlows` names those of redirects.
package enum CookieName {
    package static let session = "__Host-session"
    /// Binds forms to their browser.
    package static let form = "__Host-form"
    /// Marks a known device.
    package static let device = "__Host-device"
    /// The operator's own session cookie, while the operator acts for a user.
    package static let operatorSession = "__Host-operator"
    /// The sign-in method used last in this browser; it only orders the sign-in page.
    package static let method = "__Host-method"
    /// This browser was offered a passkey.
    package static let passkeyOffer = "__Host-passkey-offer"
}
