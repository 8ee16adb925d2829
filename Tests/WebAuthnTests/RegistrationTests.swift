import Cryptography
import JSON
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

@Suite("Registration")
struct RegistrationTests {
    private func response(_ change: (inout RegistrationDraft) throws -> Void = { _ in }) throws -> JSON {
        try Fixture.authenticator().register(challenge: Fixture.challengeBytes, change)
    }

    @Test("a credential is registered as its authenticator describes it")
    func accepted() throws {
        let authenticator = try Fixture.authenticator(signCount: 7)
        let credential = try Fixture.register(authenticator.register(challenge: Fixture.challengeBytes))
        #expect(
            credential
                == RegisteredCredential(
                    id: authenticator.credentialID, publicKey: authenticator.encodedKey, algorithm: .es256,
                    signCount: 7,
                    aaguid: Array(1...16), transports: ["internal", "hybrid"], isUserVerified: true,
                    isBackupEligible: true, isBackedUp: true, attestationFormat: "none", attestationTrust: .unattested))
    }

    @Test("the flags are those of the authenticator", arguments: [0x01, 0x05, 0x09, 0x0D, 0x19, 0x1D] as [UInt8])
    func flags(flags: UInt8) throws {
        var authenticator = try Fixture.authenticator()
        authenticator.flags = flags
        let credential = try Fixture.register(
            authenticator.register(challenge: Fixture.challengeBytes), requiresUserVerification: false)
        #expect(credential.isUserVerified == (flags & 0x04 != 0))
        #expect(credential.isBackupEligible == (flags & 0x08 != 0))
        #expect(credential.isBackedUp == (flags & 0x10 != 0))
    }

    @Test("an RSA credential is registered and used")
    func rsa() throws {
        var authenticator = try Fixture.authenticator()
        authenticator.key = try PrivateKey.generateRSA(bits: 2048)
        let credential = try Fixture.register(
            authenticator.register(challenge: Fixture.challengeBytes) { $0.attestation = .packedSelf(algorithm: -257) })
        #expect(credential.algorithm == .rs256)
        #expect(credential.attestationTrust == .selfSigned)
        let assertion = try Fixture.relyingParty().verifyAssertion(
            AuthenticationResponse(try authenticator.assert(challenge: Fixture.challengeBytes)),
            challenge: Fixture.challenge(),
            credential: StoredCredential(
                id: credential.id, publicKey: credential.publicKey, signCount: 0, isBackupEligible: true,
                userHandle: authenticator.userHandle),
            allowedIDs: [], requiresUserVerification: true)
        #expect(assertion.isUserVerified)
    }

    @Test("additions by browsers are ignored")
    func additions() throws {
        let credential = try Fixture.register(
            response {
                $0.clientData["tokenBinding"] = ["status": "supported"]
                $0.clientData["other_keys_can_be_added_here"] = "do not compare clientDataJSON against a template"
                $0.authenticatorData.flags |= AuthenticatorDataDraft.Flag.extensions | 0x22
                $0.authenticatorData.extensions = .map([
                    (.text("credProtect"), .integer(2)), (.text("hmac-secret"), .bool(true)),
                ])
                $0.changeResponse = {
                    $0["clientExtensionResults"] = ["credProps": ["rk": true]]
                    $0.change("publicKeyAlgorithm", in: "response", to: -65535)
                    $0.change("authenticatorData", in: "response", to: "")
                }
            })
        #expect(credential.isUserVerified)
    }

    @Test("transports are hints: implausible ones are dropped")
    func transports() throws {
        let presented: JSON = ["usb", "usb", 7, "", "Smart", "smart-card", .string(String(repeating: "x", count: 33))]
        #expect(try Fixture.register(response { $0.transports = presented }).transports == ["usb", "smart-card"])
        #expect(try Fixture.register(response { $0.transports = .null }).transports == [])
        let many = JSON.array((0..<20).map { .string(String(repeating: "a", count: $0 + 1)) })
        #expect(try Fixture.register(response { $0.transports = many }).transports.count == 8)
    }

    @Test("a credential id may have 1023 bytes")
    func longestID() throws {
        var authenticator = try Fixture.authenticator()
        authenticator.credentialID = [UInt8](repeating: 9, count: 1023)
        let credential = try Fixture.register(authenticator.register(challenge: Fixture.challengeBytes))
        #expect(credential.id == authenticator.credentialID)
    }

    @Test("user presence is not required for a silent creation")
    func conditional() throws {
        let response = try RegistrationResponse(
            response { $0.authenticatorData.flags &= ~AuthenticatorDataDraft.Flag.userPresent })
        let credential = try Fixture.relyingParty().verifyRegistration(
            response, challenge: Fixture.challenge(), requiresUserVerification: false, isConditional: true,
            at: Fixture.now)
        #expect(credential.attestationTrust == .unattested)
    }

    @Test("an unknown format has no effect, if so configured")
    func unknownFormat() throws {
        let lenient = try Fixture.relyingParty(attestation: .none(acceptsUnknownFormats: true))
        let credential = try Fixture.register(
            response { $0.attestation = .other(format: "tpm", statement: .map([(.text("ver"), .text("2.0"))])) },
            relyingParty: lenient)
        #expect(credential.attestationFormat == "tpm")
        #expect(credential.attestationTrust == .unattested)
    }

    @Test("client data is compared with the request", arguments: CommonRefusals.clientData)
    func clientData(refusal: Refusal<JSONObject>) throws {
        #expect(throws: refusal.reason) { try Fixture.register(response { try refusal.change(&$0.clientData) }) }
    }

    @Test("client data that is not an object is refused", arguments: CommonRefusals.clientDataBytes)
    func clientDataBytes(bytes: [UInt8]) throws {
        #expect(throws: WebAuthnError.clientDataMalformed) {
            try Fixture.register(response { $0.clientDataBytes = bytes })
        }
    }

    @Test("the JSON around is read strictly", arguments: CommonRefusals.envelope)
    func envelope(refusal: Refusal<JSONObject>) throws {
        let response = try response()
        var members = try #require(response.object)
        try refusal.change(&members)
        #expect(throws: refusal.reason) { try Fixture.register(.object(members)) }
    }

    @Test("authenticator data is compared with the request", arguments: CommonRefusals.authenticatorData)
    func authenticatorData(refusal: Refusal<AuthenticatorDataDraft>) throws {
        #expect(throws: refusal.reason) { try Fixture.register(response { try refusal.change(&$0.authenticatorData) }) }
    }

    @Test("the rest of a registration is checked", arguments: RegistrationRefusals.drafts)
    func drafts(refusal: Refusal<RegistrationDraft>) throws {
        #expect(throws: refusal.reason) { try Fixture.register(response(refusal.change)) }
    }

    @Test("an elliptic curve key is accepted in one form only", arguments: RegistrationRefusals.ellipticCurveKeys)
    func ellipticCurveKeys(refusal: Refusal<[(CBORItem, CBORItem)]>) throws {
        #expect(throws: refusal.reason) {
            try Fixture.register(
                response { draft in
                    var entries = draft.authenticatorData.attestedCredential?.key ?? []
                    try refusal.change(&entries)
                    draft.authenticatorData.attestedCredential?.key = entries
                })
        }
    }

    @Test("a JSON value that is not an object is refused", arguments: [JSON.null, .array([]), "x", 1])
    func noObject(json: JSON) {
        #expect(throws: WebAuthnError.responseMalformed) { try RegistrationResponse(json) }
        #expect(throws: WebAuthnError.responseMalformed) { try AuthenticationResponse(json) }
    }
}
