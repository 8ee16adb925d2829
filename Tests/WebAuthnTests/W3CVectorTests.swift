import Cryptography
import Testing
import WebAuthn

@Suite("The examples of the standard")
struct W3CVectorTests {
    @Test("a registration and the use of its credential are accepted", arguments: W3CVector.all)
    func accepted(vector: W3CVector) throws {
        let relyingParty = try W3CVector.relyingParty()
        let credential = try vector.register(at: relyingParty)
        #expect(Hex.encode(credential.id) == vector.credentialID)
        #expect(Hex.encode(credential.aaguid) == vector.aaguid)
        #expect(credential.algorithm == vector.algorithm)
        #expect(credential.signCount == 0)
        #expect(credential.transports == ["usb", "nfc"])
        #expect(credential.isUserVerified == (vector.flags & 0x04 != 0))
        #expect(credential.isBackupEligible == (vector.flags & 0x08 != 0))
        #expect(credential.isBackedUp == (vector.flags & 0x10 != 0))
        let assertion = try vector.assert(with: credential, at: relyingParty)
        #expect(assertion.credentialID == credential.id)
        #expect(assertion.signCount == 0)
    }

    @Test(
        "no bit of an assertion may change, with any key",
        arguments: [W3CVector.noneEs256, .packedRs256, .packedEddsa])
    func flipped(vector: W3CVector) throws {
        let relyingParty = try W3CVector.relyingParty()
        let credential = try vector.register(at: relyingParty)
        let clientData = try W3CVector.bytes(vector.assertion.clientData)
        let data = try W3CVector.bytes(vector.assertion.authenticatorData)
        let signature = try W3CVector.bytes(vector.assertion.signature)
        func isAccepted(_ clientData: [UInt8], _ data: [UInt8], _ signature: [UInt8]) -> Bool {
            let assertion = try? vector.assert(
                clientData: clientData, authenticatorData: data, signature: signature, with: credential,
                at: relyingParty)
            return assertion != nil
        }
        #expect(isAccepted(clientData, data, signature))
        for bit in 0..<(8 * clientData.count) {
            #expect(!isAccepted(clientData.flipping(bit), data, signature), "client data, bit \(bit)")
        }
        for bit in 0..<(8 * data.count) {
            #expect(!isAccepted(clientData, data.flipping(bit), signature), "authenticator data, bit \(bit)")
        }
        for bit in 0..<(8 * signature.count) {
            #expect(!isAccepted(clientData, data, signature.flipping(bit)), "signature, bit \(bit)")
        }
    }

    @Test("credentials of examples are not interchangeable")
    func otherKeys() throws {
        let relyingParty = try W3CVector.relyingParty()
        let credential = try W3CVector.packedSelfEs256.register(at: relyingParty)
        #expect(throws: WebAuthnError.signatureInvalid) {
            try W3CVector.noneEs256.assert(with: credential, at: relyingParty)
        }
    }

    @Test(
        "a maker's certificate is known by its root only",
        arguments: [W3CVector.packedEs256, .packedRs256, .packedEddsa])
    func knownRoot(vector: W3CVector) throws {
        let root = try W3CVector.rootCertificate()
        let known = try vector.register(
            at: W3CVector.relyingParty(attestation: .direct(roots: [root], requiresKnownRoot: true)))
        #expect(known.attestationFormat == "packed")
        #expect(known.attestationTrust == .certified(rootKnown: true))
        let unknown = try vector.register(
            at: W3CVector.relyingParty(attestation: .direct(roots: [], requiresKnownRoot: false)))
        #expect(unknown.attestationTrust == .certified(rootKnown: false))
    }

    @Test("self-signed and unsigned statements differ from makers' statements")
    func trust() throws {
        let root = try W3CVector.rootCertificate()
        let strict = try W3CVector.relyingParty(attestation: .direct(roots: [root], requiresKnownRoot: true))
        for (vector, trust) in [(W3CVector.noneEs256, AttestationTrust.unattested), (.packedSelfEs256, .selfSigned)] {
            #expect(try vector.register(at: W3CVector.relyingParty()).attestationTrust == trust)
            #expect(throws: WebAuthnError.attestationUntrusted) { try vector.register(at: strict) }
        }
    }

    @Test("frames of other origins are refused unless expected")
    func crossOrigin() throws {
        let never = try W3CVector.relyingParty(crossOrigin: .refused)
        for vector in [W3CVector.noneEs256CrossOrigin, .noneEs256TopOrigin] {
            #expect(throws: WebAuthnError.crossOriginRefused) { try vector.register(at: never) }
        }
        let elsewhere = try W3CVector.relyingParty(crossOrigin: .accepted(topOrigins: ["https://example.net"]))
        #expect(throws: WebAuthnError.topOriginMismatch) { try W3CVector.noneEs256TopOrigin.register(at: elsewhere) }
    }

    @Test("unsupported keys and formats are refused by name", arguments: W3CVector.refused.indices)
    func refused(index: Int) throws {
        let example = W3CVector.refused[index]
        #expect(throws: example.reason, "\(example.name)") {
            try example.registration.verify(credentialID: example.credentialID, at: W3CVector.relyingParty())
        }
    }
}
