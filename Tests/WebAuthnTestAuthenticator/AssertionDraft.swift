import Cryptography
package import JSON

/// An assertion before its signature and encoding; each field may be invalid.
package struct AssertionDraft: Sendable {
    /// The members of the client data, unless bytes replace them.
    package var clientData: JSONObject
    package var clientDataBytes: [UInt8]?
    package var authenticatorData: AuthenticatorDataDraft
    /// Changes the authenticator data's bytes before they are signed.
    package var changeAuthenticatorData: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Changes the signature.
    package var changeSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
    package var userHandle: [UInt8]?
    /// Changes the response's JSON last.
    package var changeResponse: @Sendable (inout JSONObject) -> Void = { _ in }
}

extension TestAuthenticator {
    /// The `AuthenticationResponseJSON` of a draft.
    package func response(to draft: AssertionDraft) throws -> JSON {
        let clientData = draft.clientDataBytes ?? JSON.object(draft.clientData).bytes()
        var data = draft.authenticatorData.encoded
        draft.changeAuthenticatorData(&data)
        var signature = try key.webAuthnSignature(data + SHA256.hash(clientData))
        draft.changeSignature(&signature)
        var members: JSONObject = [
            "clientDataJSON": .string(Base64URL.encode(clientData)),
            "authenticatorData": .string(Base64URL.encode(data)),
            "signature": .string(Base64URL.encode(signature)),
        ]
        members["userHandle"] = draft.userHandle.map { .string(Base64URL.encode($0)) }
        var response: JSONObject = [
            "id": .string(Base64URL.encode(credentialID)), "rawId": .string(Base64URL.encode(credentialID)),
            "type": "public-key", "authenticatorAttachment": "platform", "clientExtensionResults": [:],
            "response": .object(members),
        ]
        draft.changeResponse(&response)
        return .object(response)
    }
}
