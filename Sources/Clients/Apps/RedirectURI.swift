import JSON
import Vocabulary

/// A browser's destination after a sign-in (RFC 6749 §3.1.2, RFC 8252 §7).
///
/// This type checks only the form; the client's list decides about permission.
package struct RedirectURI: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A website or an app link: `https://host/path`.
        case https
        /// A program that listens on the user's machine: `http://127.0.0.1/path`, any port (RFC 8252 §7.3).
        case loopback
        /// A website under development, or a program that calls the user's machine so: `http://localhost:3000/path`, any port.
        case localhost
        /// An app's own scheme, a reversed domain name: `org.example.app:/path` (RFC 8252 §7.1). Also the form of MSAL on
        /// Android, `msauth://<package>/<signature>`.
        case customScheme
    }

    package let text: String
    package let kind: Kind
    /// Scheme, host and port as browsers write an origin; nil for an app's own scheme.
    package let origin: String?
    /// The source in a Content-Security-Policy, whose syntax has no IPv6 addresses.
    package var policySource: String {
        guard let origin, !origin.contains("[") else { return String(text.prefix { $0 != ":" }) + ":" }
        return origin
    }

    /// The policy source of all addresses that match this one; a loopback address matches every port.
    package var widePolicySource: String {
        guard kind == .loopback || kind == .localhost, policySource == origin else { return policySource }
        return originWithoutPort + ":*"
    }

    /// Whether it leads to a program on the user's own computer.
    package var isOnComputer: Bool { kind != .https }

    /// The host, for people; an app's own scheme stands for an app on the device.
    package var shownHost: String {
        guard let origin else { return String(text.prefix { $0 != ":" }) }
        return String(origin.drop { $0 != ":" }.dropFirst("://".count))
    }

    /// The accepted forms, for the refusal of another one.
    package static let forms = [
        "https://host/path", "com.example.app:/path", "http://127.0.0.1/path", "http://localhost:PORT/path",
    ]

    /// The maximum length.
    static let maximumLength = 512

    /// Nil for an invalid address: relative, with a fragment or user name, or not visible ASCII.
    package init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"\"<>^`{|}#"#.utf8.contains($0) }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        switch scheme {
        case "https", "http":
            guard let authority = Self.authority(rest), let kind = Self.kind(scheme, authority.host) else { return nil }
            self.kind = kind
            origin = "\(scheme)://\(authority.text)"
        default:
            let isOwn = Self.isReversedDomain(scheme) && Self.isOfScheme(rest)
            guard isOwn || scheme == "msauth" && Self.isSignedPackage(rest) else { return nil }
            (kind, origin) = (.customScheme, nil)
        }
        self.text = text
    }

    /// Whether a registered address matches this one: byte for byte, except the port of a loopback address.
    package func isCovered(by registered: RedirectURI) -> Bool {
        if text.hasSameBytes(as: registered.text) { return true }
        guard kind == .loopback || kind == .localhost, registered.kind == kind else { return false }
        return withoutPort.hasSameBytes(as: registered.withoutPort)
    }

    /// Returns the address with parameters added to its query.
    package func adding(_ parameters: [(name: String, value: String)]) -> String {
        text.addingQuery(parameters)
    }

    private var withoutPort: String { originWithoutPort + text.dropFirst((origin ?? "").count) }

    private var originWithoutPort: String {
        guard let origin, let colon = origin.lastIndex(of: ":"),
            origin[origin.index(after: colon)...].allSatisfy(\.isNumber)
        else { return origin ?? "" }
        return String(origin[..<colon])
    }

    /// Returns host and port; nil for a user name, a missing host or an unusual spelling of the host.
    private static func authority(_ rest: Substring) -> (text: String, host: String)? {
        guard rest.hasPrefix("//") else { return nil }
        let text = rest.dropFirst(2).prefix { !"/?".contains($0) }
        guard !text.isEmpty, text == text.lowercased(), !text.contains("@"), !text.contains("%") else { return nil }
        if text.hasPrefix("[::1]") {
            let port = text.dropFirst("[::1]".count)
            return port.isEmpty || (port.hasPrefix(":") && isPort(port.dropFirst())) ? (String(text), "[::1]") : nil
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, isHost(parts[0]), parts.count == 1 || isPort(parts[1]) else { return nil }
        return (String(text), String(parts[0]))
    }

    private static func kind(_ scheme: Substring, _ host: String) -> Kind? {
        switch (scheme, host) {
        case ("http", "127.0.0.1"), ("http", "[::1]"): .loopback
        case ("http", "localhost"): .localhost
        case ("https", _): .https
        default: nil
        }
    }

    private static func isHost(_ text: Substring) -> Bool {
        !text.isEmpty && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func isPort(_ text: Substring) -> Bool {
        !text.hasPrefix("0") && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && Int(text).map { (1...65_535).contains($0) } ?? false
    }

    /// A path, or `//` with a host, an empty one too, and a port that is a number; a user's software rejects other ports.
    private static func isOfScheme(_ rest: Substring) -> Bool {
        guard rest.hasPrefix("//") else { return rest.hasPrefix("/") }
        let authority = rest.dropFirst(2).prefix { !"/?".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts[0].utf8.allSatisfy { !"@%[]".utf8.contains($0) }
            && (parts.count == 1 || isPort(parts[1]))
    }

    /// Requires a dot: any app may claim a scheme without one, and `javascript:` has none.
    private static func isReversedDomain(_ scheme: Substring) -> Bool {
        let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && scheme == scheme.lowercased()
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            } && scheme.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
    }

    /// `//<package>/<signature>` of MSAL on Android: the package name and the SHA-1 of its signing key, in Base64.
    ///
    /// Any app may claim it, like every scheme of an app: the code challenge protects the code (RFC 8252 §8.1).
    private static func isSignedPackage(_ rest: Substring) -> Bool {
        rest.wholeMatch(of: /\/\/[A-Za-z][0-9A-Za-z_]*(\.[A-Za-z][0-9A-Za-z_]*)+\/[0-9A-Za-z%+\/=_-]{27,40}/) != nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
