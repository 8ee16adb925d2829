import Cryptography
import JSON
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

@Suite("Authentication")
struct AssertionTests {
    private func response(
        signCount: UInt32 = 0, _ change: (inout AssertionDraft) throws -> Void = { _ in }
    ) throws -> JSON {
        var authenticator = try Fixture.authenticator()
        return try authenticator.assert(challenge: Fixture.challengeBytes) {
            $0.authenticatorData.signCount = signCount
            try change(&$0)
        }
    }

    @Test("an assertion returns the changed values")
    func accepted() throws {
        let id = try Fixture.authenticator().credentialID
        let expected = Assertion(
            credentialID: id, signCount: 0, isUserVerified: true, isBackupEligible: true, isBackedUp: true)
        #expect(try Fixture.verify(response()) == expected)
        #expect(try AuthenticationResponse(response()).credentialID == id)
    }

    @Test("a registered credential can be used repeatedly")
    func roundTrip() throws {
        var authenticator = try Fixture.authenticator(signCount: 1)
        let credential = try Fixture.register(authenticator.register(challenge: Fixture.challengeBytes))
        var count = credential.signCount
        for _ in 0..<3 {
            let assertion = try Fixture.verify(
                authenticator.assert(challenge: Fixture.challengeBytes), signCount: count)
            #expect(assertion.signCount == count + 1)
            count = assertion.signCount
        }
        #expect(count == 4)
    }

    @Test(
        "the counter increases, or there is none",
        arguments: [(0, 0), (0, 1), (1, 2), (1, 1000), (UInt32.max - 1, UInt32.max)] as [(UInt32, UInt32)])
    func counterAccepted(stored: UInt32, presented: UInt32) throws {
        #expect(try Fixture.verify(response(signCount: presented), signCount: stored).signCount == presented)
    }

    @Test(
        "a counter that stays, decreases or disappears indicates a copy",
        arguments: [(1, 1), (2, 1), (1, 0), (UInt32.max, 0), (UInt32.max, UInt32.max)] as [(UInt32, UInt32)])
    func counterRefused(stored: UInt32, presented: UInt32) throws {
        #expect(throws: WebAuthnError.counterWentBack) {
            try Fixture.verify(response(signCount: presented), signCount: stored)
        }
    }

    @Test("a decreased counter is reported only for valid signatures")
    func counterLast() throws {
        #expect(throws: WebAuthnError.signatureInvalid) {
            try Fixture.verify(response(signCount: 1) { $0.changeSignature = { $0[20] ^= 1 } }, signCount: 2)
        }
    }

    @Test("user verification counts only if it is required")
    func userVerification() throws {
        let unverified = try response {
            $0.authenticatorData.flags &= ~AuthenticatorDataDraft.Flag.userVerified
        }
        #expect(try !Fixture.verify(unverified, requiresUserVerification: false).isUserVerified)
        #expect(throws: WebAuthnError.userNotVerified) { try Fixture.verify(unverified) }
    }

    private typealias Flag = AuthenticatorDataDraft.Flag

    /// Every change of the backup flags: the stored eligibility, the flags now, and the refusal.
    static let backups: [(wasEligible: Bool, flags: UInt8, refusal: WebAuthnError?)] = [
        (false, 0, nil), (false, Flag.backupEligible, nil), (false, Flag.backupEligible | Flag.backedUp, nil),
        (false, Flag.backedUp, .backupStateInvalid), (true, 0, .backupEligibilityChanged),
        (true, Flag.backupEligible, nil), (true, Flag.backupEligible | Flag.backedUp, nil),
        (true, Flag.backedUp, .backupStateInvalid),
    ]

    @Test("3-R2: a key may become eligible for backup but not lose it, and the state may change", arguments: backups)
    func backup(wasEligible: Bool, flags: UInt8, refusal: WebAuthnError?) throws {
        let authenticator = try Fixture.authenticator()
        let credential = StoredCredential(
            id: authenticator.credentialID, publicKey: authenticator.encodedKey, signCount: 0,
            isBackupEligible: wasEligible, userHandle: authenticator.userHandle)
        let response = try AuthenticationResponse(
            response { $0.authenticatorData.flags = $0.authenticatorData.flags & ~0x18 | flags })
        func verify() throws -> Assertion {
            try Fixture.relyingParty().verifyAssertion(
                response, challenge: Fixture.challenge(), credential: credential, allowedIDs: [],
                requiresUserVerification: true)
        }
        guard let refusal else {
            let assertion = try verify()
            #expect(assertion.isBackupEligible == (flags & Flag.backupEligible != 0))
            #expect(assertion.isBackedUp == (flags & Flag.backedUp != 0))
            return
        }
        #expect(throws: refusal) { try verify() }
    }

    @Test("a user handle may be missing only for a known account", arguments: [JSON?.none, .some(.null)])
    func userHandle(presented: JSON?) throws {
        let response = try response { draft in
            draft.changeResponse = { $0.change("userHandle", in: "response", to: presented) }
        }
        #expect(try Fixture.verify(response).isUserVerified)
        #expect(throws: WebAuthnError.userHandleMissing) { try Fixture.verify(response, allowedIDs: []) }
        #expect(try Fixture.verify(self.response(), allowedIDs: []).isUserVerified)
    }

    @Test("only a named credential may answer")
    func allowed() throws {
        let id = try Fixture.authenticator().credentialID
        #expect(try Fixture.verify(response(), allowedIDs: [[1], id]).credentialID == id)
        #expect(throws: WebAuthnError.credentialNotAllowed) { try Fixture.verify(response(), allowedIDs: [[1]]) }
    }

    @Test("another key does not verify, and an invalid one is refused")
    func otherKey() throws {
        let authenticator = try Fixture.authenticator()
        let other = try PrivateKey.generateP256().publicKey
        let keys: [([UInt8], WebAuthnError)] = [
            (CBORItem.map(COSEKeyItem.entries(other)).encoded, .signatureInvalid),
            ([], .publicKeyMalformed), (authenticator.encodedKey + [0], .publicKeyMalformed),
            ([0xA0], .publicKeyMalformed),
        ]
        for (key, reason) in keys {
            let credential = StoredCredential(
                id: authenticator.credentialID, publicKey: key, signCount: 0, isBackupEligible: true,
                userHandle: authenticator.userHandle)
            #expect(throws: reason) {
                try Fixture.relyingParty().verifyAssertion(
                    AuthenticationResponse(response()), challenge: Fixture.challenge(), credential: credential,
                    allowedIDs: [], requiresUserVerification: true)
            }
        }
    }

    @Test("client data is compared with the request", arguments: CommonRefusals.clientData)
    func clientData(refusal: Refusal<JSONObject>) throws {
        #expect(throws: refusal.reason) { try Fixture.verify(response { try refusal.change(&$0.clientData) }) }
    }

    @Test("client data that is not an object is refused", arguments: CommonRefusals.clientDataBytes)
    func clientDataBytes(bytes: [UInt8]) throws {
        #expect(throws: WebAuthnError.clientDataMalformed) {
            try Fixture.verify(response { $0.clientDataBytes = bytes })
        }
    }

    @Test("the JSON around is read strictly", arguments: CommonRefusals.envelope)
    func envelope(refusal: Refusal<JSONObject>) throws {
        let response = try response()
        var members = try #require(response.object)
        try refusal.change(&members)
        #expect(throws: refusal.reason) { try Fixture.verify(.object(members)) }
    }

    @Test("authenticator data is compared with the request", arguments: CommonRefusals.authenticatorData)
    func authenticatorData(refusal: Refusal<AuthenticatorDataDraft>) throws {
        #expect(throws: refusal.reason) { try Fixture.verify(response { try refusal.change(&$0.authenticatorData) }) }
    }

    @Test("the rest of an assertion is checked", arguments: AssertionRefusals.drafts)
    func drafts(refusal: Refusal<AssertionDraft>) throws {
        #expect(throws: refusal.reason) { try Fixture.verify(response(refusal.change)) }
    }
}
