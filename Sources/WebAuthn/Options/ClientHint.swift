/// The kind of authenticator that the browser should offer first (WebAuthn level 3 §5.8.7).
package enum ClientHint: String, Sendable, CaseIterable {
    case securityKey = "security-key"
    case clientDevice = "client-device"
    case hybrid
}
