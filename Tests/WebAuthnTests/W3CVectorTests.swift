import Cryptography
import FoundationEssentials
import JSON
import Testing
import WebAuthn

@Suite("The examples of the standard")
struct W3CVectorTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func relyingParty(
        crossOrigin: RelyingParty.CrossOrigin = .accepted(topOrigins: ["https://example.com"]),
        attestation: RelyingParty.Attestation = .none
    ) throws -> RelyingParty {
        try RelyingParty(
            id: "example.org", name: "Example", origins: ["https://example.org"], crossOrigin: crossOrigin,
            attestation: attestation)
    }

    private func register(
        _ registration: W3CVector.Registration, id: [UInt8], relyingParty: RelyingParty
    ) throws -> RegisteredCredential {
        let response: JSON = [
            "id": .string(Base64URL.encode(id)), "rawId": .string(Base64URL.encode(id)), "type": "public-key",
            "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": try encoded(registration.clientData),
                "attestationObject": try encoded(registration.attestationObject),
                "transports": ["usb", "nfc"],
            ],
        ]
        return try relyingParty.verifyRegistration(
            RegistrationResponse(response), challenge: challenge(registration.challenge),
            requiresUserVerification: false, at: Self.now)
    }

    private func assert(
        _ vector: W3CVector, with credential: RegisteredCredential, relyingParty: RelyingParty
    ) throws -> Assertion {
        let id = JSON.string(Base64URL.encode(credential.id))
        let response: JSON = [
            "id": id, "rawId": id, "type": "public-key", "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": try encoded(vector.assertion.clientData),
                "authenticatorData": try encoded(vector.assertion.authenticatorData),
                "signature": try encoded(vector.assertion.signature),
            ],
        ]
        return try relyingParty.verifyAssertion(
            AuthenticationResponse(response), challenge: challenge(vector.assertion.challenge),
            credential: StoredCredential(
                id: credential.id, publicKey: credential.publicKey, signCount: credential.signCount,
                isBackupEligible: credential.isBackupEligible, userHandle: [1]),
            allowedIDs: [credential.id], requiresUserVerification: false)
    }

    private func encoded(_ hex: String) throws -> JSON {
        .string(Base64URL.encode(try #require(Hex.decode(hex))))
    }

    private func challenge(_ hex: String) throws -> Challenge {
        let bytes = try #require(Hex.decode(hex))
        return try #require(Challenge(bytes))
    }

    private func root() throws -> Certificate {
        let der = try #require(Hex.decode(W3CVector.root))
        return try Certificate(der: der)
    }

    private func id(_ vector: W3CVector) throws -> [UInt8] {
        try #require(Hex.decode(vector.credentialID))
    }

    @Test("a registration and the use of its credential are accepted", arguments: W3CVector.all)
    func accepted(vector: W3CVector) throws {
        let relyingParty = try relyingParty()
        let credential = try register(vector.registration, id: id(vector), relyingParty: relyingParty)
        #expect(Hex.encode(credential.id) == vector.credentialID)
        #expect(Hex.encode(credential.aaguid) == vector.aaguid)
        #expect(credential.algorithm == vector.algorithm)
        #expect(credential.signCount == 0)
        #expect(credential.transports == ["usb", "nfc"])
        #expect(credential.isUserVerified == (vector.flags & 0x04 != 0))
        #expect(credential.isBackupEligible == (vector.flags & 0x08 != 0))
        #expect(credential.isBackedUp == (vector.flags & 0x10 != 0))
        let assertion = try assert(vector, with: credential, relyingParty: relyingParty)
        #expect(assertion.credentialID == credential.id)
        #expect(assertion.signCount == 0)
    }

    @Test("the credential of one example is not that of another")
    func otherKeys() throws {
        let relyingParty = try relyingParty()
        let (one, other) = (W3CVector.noneEs256, W3CVector.packedSelfEs256)
        let credential = try register(other.registration, id: id(other), relyingParty: relyingParty)
        #expect(throws: WebAuthnError.signatureInvalid) {
            try assert(one, with: credential, relyingParty: relyingParty)
        }
    }

    @Test(
        "a maker's certificate is known by its root only",
        arguments: [W3CVector.packedEs256, .packedRs256, .packedEddsa])
    func knownRoot(vector: W3CVector) throws {
        let root = try root()
        let knows = try relyingParty(attestation: .direct(roots: [root], requiresKnownRoot: true))
        let id = try id(vector)
        let known = try register(vector.registration, id: id, relyingParty: knows)
        #expect(known.attestationFormat == "packed")
        #expect(known.attestationTrust == .certified(rootKnown: true))
        let unknown = try register(
            vector.registration, id: id,
            relyingParty: relyingParty(attestation: .direct(roots: [], requiresKnownRoot: false)))
        #expect(unknown.attestationTrust == .certified(rootKnown: false))
    }

    @Test("what is signed with the credential itself, or by nobody, is told from what a maker signed")
    func trust() throws {
        let root = try root()
        let strict = try relyingParty(attestation: .direct(roots: [root], requiresKnownRoot: true))
        for (vector, trust) in [(W3CVector.noneEs256, AttestationTrust.none), (.packedSelfEs256, .self)] {
            let credential = try register(vector.registration, id: id(vector), relyingParty: relyingParty())
            #expect(credential.attestationTrust == trust)
            #expect(throws: WebAuthnError.attestationUntrusted) {
                try register(vector.registration, id: id(vector), relyingParty: strict)
            }
        }
    }

    @Test("frames of other origins are refused unless they are expected")
    func crossOrigin() throws {
        for vector in [W3CVector.noneEs256CrossOrigin, .noneEs256TopOrigin] {
            #expect(throws: WebAuthnError.crossOriginRefused) {
                try register(vector.registration, id: id(vector), relyingParty: relyingParty(crossOrigin: .refused))
            }
        }
        let vector = W3CVector.noneEs256TopOrigin
        #expect(throws: WebAuthnError.topOriginMismatch) {
            try register(
                vector.registration, id: id(vector),
                relyingParty: relyingParty(crossOrigin: .accepted(topOrigins: ["https://example.net"])))
        }
    }

    @Test("keys and formats that are not taken are refused by name", arguments: W3CVector.refused.indices)
    func refused(index: Int) throws {
        let example = W3CVector.refused[index]
        #expect(throws: example.reason, "\(example.name)") {
            try register(
                example.registration, id: #require(Hex.decode(example.credentialID)), relyingParty: relyingParty())
        }
    }
}
