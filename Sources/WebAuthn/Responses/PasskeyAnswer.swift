package import JSON

/// The answer of a browser or system in its JSON form, unverified (WebAuthn Level 3 §5.5).
package struct PasskeyAnswer: Sendable, Equatable {
    /// Nil for a text that is not JSON.
    private let json: JSON?

    /// Takes an object, or the text of one.
    package init(_ json: JSON) {
        self.json = if let text = json.string { try? JSON(parsing: text) } else { json }
    }

    package init(text: String) { json = try? JSON(parsing: text) }

    /// The object for a provider that verifies the answer; nil for anything else.
    package var object: JSONObject? { json?.object }

    fileprivate func parsed() throws(WebAuthnError) -> JSON {
        guard let json else { throw .responseMalformed }
        return json
    }
}

extension AuthenticationResponse {
    package init(_ answer: PasskeyAnswer) throws(WebAuthnError) { try self.init(answer.parsed()) }
}

extension RegistrationResponse {
    package init(_ answer: PasskeyAnswer) throws(WebAuthnError) { try self.init(answer.parsed()) }
}
