import Cryptography
package import JSON

/// A registration before its signature and encoding; each field may be invalid.
package struct RegistrationDraft: Sendable {
    /// The members of the client data, unless bytes replace them.
    package var clientData: JSONObject
    package var clientDataBytes: [UInt8]?
    package var authenticatorData: AuthenticatorDataDraft
    package var attestation: AttestationDraft
    /// Changes the attestation object's entries after the statement is signed.
    package var changeEntries: @Sendable (inout [(CBORItem, CBORItem)]) -> Void = { _ in }
    /// Bytes after the attestation object.
    package var trailing: [UInt8] = []
    package var transports: JSON = ["internal", "hybrid"]
    /// Changes the response's JSON last.
    package var changeResponse: @Sendable (inout JSONObject) -> Void = { _ in }
}

extension TestAuthenticator {
    /// The `RegistrationResponseJSON` of a draft.
    package func response(to draft: RegistrationDraft) throws -> JSON {
        let clientData = draft.clientDataBytes ?? JSON.object(draft.clientData).bytes()
        let data = draft.authenticatorData.encoded
        let statement = try draft.attestation.statement(over: data + SHA256.hash(clientData), credentialKey: key)
        var entries: [(CBORItem, CBORItem)] = [
            (.text("fmt"), .text(draft.attestation.format)), (.text("attStmt"), statement),
            (.text("authData"), .bytes(data)),
        ]
        draft.changeEntries(&entries)
        var response: JSONObject = [
            "id": .string(Base64URL.encode(credentialID)), "rawId": .string(Base64URL.encode(credentialID)),
            "type": "public-key", "authenticatorAttachment": "platform", "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "attestationObject": .string(Base64URL.encode(CBORItem.map(entries).encoded + draft.trailing)),
                "transports": draft.transports,
            ],
        ]
        draft.changeResponse(&response)
        return .object(response)
    }
}
