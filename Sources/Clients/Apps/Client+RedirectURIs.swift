import JSON

/// The addresses to which the client's answers may go.
extension Client {
    /// The address that a request names; nil unless a registered one covers it.
    package func redirectURI(_ text: String) -> RedirectURI? {
        if let known = registered(text) { return known }
        guard let asked = RedirectURI(text), redirectURIs.contains(where: asked.isCovered) else { return nil }
        return asked
    }

    /// The address that is registered in exactly these bytes.
    package func registered(_ text: String) -> RedirectURI? {
        redirectURIs.first { $0.text.hasSameBytes(as: text) }
    }
}
