/// An access token as a request presents it.
package struct PresentedToken: Sendable {
    package let text: String
    /// The thumbprint of the key that the request proved under the scheme `DPoP`; nil under `Bearer`.
    let key: String?

    package init(_ text: String, provedBy key: String? = nil) {
        (self.text, self.key) = (text, key)
    }
}
