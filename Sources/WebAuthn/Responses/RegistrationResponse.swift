package import JSON

/// What a client answers to creation options: a `RegistrationResponseJSON`, read and not yet verified.
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
