import Cryptography
import Foundation
import JSON
import WebAuthn
import WebAuthnTestAuthenticator

/// An assertion is accepted only for its challenge, origin, site and ceremony.
///
/// Reads the answer of a browser as JSON, and client data with authenticator data that a valid key signs: one a line.
enum PasskeyTarget {
    private static let origin = "https://login.example.com"
    private static let id = SHA256.hash("credential")
    private static let challengeBytes = SHA256.hash("challenge")
    private static let challenge = Challenge(challengeBytes)
    private static let site = Fixture.made {
        try RelyingParty(id: "example.com", name: "Example", origins: [origin])
    }
    private static let credential = StoredCredential(
        id: id, publicKey: CBORItem.map(COSEKeyItem.entries(Fixture.key.publicKey)).encoded, signCount: 0,
        isBackupEligible: false, userHandle: [1])

    static func read(_ input: [UInt8]) {
        let answer = PasskeyAnswer(text: String(decoding: input, as: UTF8.self))
        if let response = try? AuthenticationResponse(answer) {
            hold(assertion(response) == nil, "an answer without the key's signature is refused")
        }
        if let response = try? RegistrationResponse(answer), let new = registration(response) {
            hold(new.id == response.credentialID, "the credential has the id of the answer")
            hold(new.attestationTrust != .certified(rootKnown: true), "no root is known")
        }
        let parts = Input(input, most: 2)
        readSigned(clientData: parts.bytes(0), authenticatorData: parts.bytes(1))
    }

    private static func readSigned(clientData: [UInt8], authenticatorData data: [UInt8]) {
        guard let signature = try? Fixture.key.webAuthnSignature(data + SHA256.hash(clientData)),
            let accepted = assertion(clientData, data, signature)
        else { return }
        let members = (try? JSONSerialization.jsonObject(with: Data(clientData)) as? [String: Any]) ?? [:]
        hold(members["type"] as? String == "webauthn.get", "the ceremony is an assertion")
        hold(members["origin"] as? String == origin && members["crossOrigin"] as? Bool != true, "the origin is ours")
        hold(members["challenge"] as? String == Base64URL.encode(challengeBytes), "the challenge is the flow's")
        hold(data.starts(with: SHA256.hash("example.com")) && data[32] & 0x05 == 0x05, "the user was verified here")
        hold(accepted.credentialID == id, "the credential is the stored one")
        let other = signature.flipped(Int(data.last ?? 0))
        hold(assertion(clientData, data, other) == nil, "a changed signature is refused")
    }

    private static func assertion(_ clientData: [UInt8], _ data: [UInt8], _ signature: [UInt8]) -> Assertion? {
        let encodedID = JSON.string(Base64URL.encode(id))
        let response: JSON = [
            "id": encodedID, "rawId": encodedID, "type": "public-key",
            "response": [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "authenticatorData": .string(Base64URL.encode(data)),
                "signature": .string(Base64URL.encode(signature)),
            ],
        ]
        return (try? AuthenticationResponse(response)).flatMap(assertion)
    }

    private static func assertion(_ response: AuthenticationResponse) -> Assertion? {
        guard let challenge else { return nil }
        return try? site.verifyAssertion(
            response, challenge: challenge, credential: credential, allowedIDs: [id], requiresUserVerification: true)
    }

    private static func registration(_ response: RegistrationResponse) -> RegisteredCredential? {
        guard let challenge else { return nil }
        return try? site.verifyRegistration(
            response, challenge: challenge, requiresUserVerification: true, at: Fixture.now)
    }
}
