package import JSON

/// A client's answer to request options: an `AuthenticationResponseJSON`, parsed but not verified.
package struct AuthenticationResponse: Sendable {
    /// Claimed, for looking up the credential.
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
