package import JSON

/// What a client answers to request options: an `AuthenticationResponseJSON`, read and not yet verified.
package struct AuthenticationResponse: Sendable {
    /// Claimed, to look the credential up by.
    package let credentialID: [UInt8]
    let userHandle: [UInt8]?
    let clientData: [UInt8]
    let authenticatorData: [UInt8]
    let signature: [UInt8]

    package init(_ json: JSON) throws(WebAuthnError) {
        let members = try ResponseMembers(json)
        credentialID = members.credentialID
        userHandle = try members.optionalBytes("userHandle")
        clientData = try members.bytes("clientDataJSON")
        authenticatorData = try members.bytes("authenticatorData")
        signature = try members.bytes("signature")
    }
}
