import Cryptography
import FoundationEssentials
import JSON
import Testing
import WebAuthn

/// The examples in the form of browsers.
extension W3CVector {
    static func relyingParty(
        crossOrigin: RelyingParty.CrossOrigin = .accepted(topOrigins: ["https://example.com"]),
        attestation: RelyingParty.Attestation = .none
    ) throws -> RelyingParty {
        try RelyingParty(
            id: "example.org", name: "Example", origins: ["https://example.org"], crossOrigin: crossOrigin,
            attestation: attestation)
    }

    static func rootCertificate() throws -> Certificate {
        try Certificate(der: bytes(root))
    }

    static func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.decode(hex))
    }

    func register(at relyingParty: RelyingParty) throws -> RegisteredCredential {
        try registration.verify(credentialID: credentialID, at: relyingParty)
    }

    /// Verifies an assertion with the three given parts, from the example or changed.
    func assert(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], with credential: RegisteredCredential,
        at relyingParty: RelyingParty
    ) throws -> WebAuthn.Assertion {
        let id = JSON.string(Base64URL.encode(credential.id))
        let response: JSON = [
            "id": id, "rawId": id, "type": "public-key", "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "authenticatorData": .string(Base64URL.encode(authenticatorData)),
                "signature": .string(Base64URL.encode(signature)),
            ],
        ]
        let challenge = try #require(Challenge(try Self.bytes(assertion.challenge)))
        return try relyingParty.verifyAssertion(
            AuthenticationResponse(response), challenge: challenge,
            credential: StoredCredential(
                id: credential.id, publicKey: credential.publicKey, signCount: credential.signCount,
                isBackupEligible: credential.isBackupEligible, userHandle: [1]),
            allowedIDs: [credential.id], requiresUserVerification: false)
    }

    func assert(with credential: RegisteredCredential, at relyingParty: RelyingParty) throws -> WebAuthn.Assertion {
        try assert(
            clientData: Self.bytes(assertion.clientData), authenticatorData: Self.bytes(assertion.authenticatorData),
            signature: Self.bytes(assertion.signature), with: credential, at: relyingParty)
    }
}

extension W3CVector.Registration {
    func verify(credentialID: String, at relyingParty: RelyingParty) throws -> RegisteredCredential {
        let id = JSON.string(Base64URL.encode(try W3CVector.bytes(credentialID)))
        let response: JSON = [
            "id": id, "rawId": id, "type": "public-key", "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": .string(Base64URL.encode(try W3CVector.bytes(clientData))),
                "attestationObject": .string(Base64URL.encode(try W3CVector.bytes(attestationObject))),
                "transports": ["usb", "nfc"],
            ],
        ]
        let challenge = try #require(Challenge(try W3CVector.bytes(challenge)))
        return try relyingParty.verifyRegistration(
            RegistrationResponse(response), challenge: challenge, requiresUserVerification: false,
            at: Date(timeIntervalSince1970: 1_800_000_000))
    }
}
