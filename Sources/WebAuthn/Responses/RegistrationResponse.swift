package import JSON

/// A client's answer to creation options: a `RegistrationResponseJSON`, parsed but not verified.
package struct RegistrationResponse: Sendable {
    package let credentialID: [UInt8]
    let clientData: [UInt8]
    let attestationObject: [UInt8]
    let transports: [String]

    package init(_ json: JSON) throws(WebAuthnError) {
        let members = try ResponseMembers(json)
        credentialID = members.credentialID
        clientData = try members.bytes("clientDataJSON")
        attestationObject = try members.bytes("attestationObject")
        transports = try members.transports()
    }
}
