import Cryptography
import JSON
import Testing
import WebAuthn
import WebAuthnTestAuthenticator

/// From options to responses and back, as JSON texts.
@Suite("Whole ceremonies")
struct RoundTripTests {
    private func travel(_ json: JSON) throws -> JSON {
        try JSON(parsing: json.text)
    }

    @Test("a passkey is created, and later found without its id")
    func discoverable() throws {
        let relyingParty = try Fixture.relyingParty()
        let user = try #require(UserEntity(handle: SHA256.hash("account"), name: "ann", displayName: "Ann"))
        let creation = CreationOptions(user: user, challenge: try Fixture.challenge())
        var authenticator = try TestAuthenticator.making(
            travel(creation.json(for: relyingParty)), origin: Fixture.origin)
        let made = try travel(authenticator.register(creation.json(for: relyingParty)))
        let credential = try Fixture.register(made, relyingParty: relyingParty)
        let request = RequestOptions(challenge: try Fixture.challenge())
        let used = try AuthenticationResponse(travel(authenticator.assert(travel(request.json(for: relyingParty)))))
        #expect(used.credentialID == credential.id)
        let assertion = try relyingParty.verifyAssertion(
            used, challenge: request.challenge,
            credential: StoredCredential(
                id: credential.id, publicKey: credential.publicKey, signCount: credential.signCount,
                isBackupEligible: credential.isBackupEligible, userHandle: user.handle),
            allowedIDs: [], requiresUserVerification: true)
        #expect(assertion.isUserVerified)
    }

    @Test("a response to one challenge doesn't answer another")
    func otherChallenge() throws {
        let authenticator = try Fixture.authenticator()
        let response = try RegistrationResponse(authenticator.register(challenge: SHA256.hash("another")))
        #expect(throws: WebAuthnError.challengeMismatch) {
            try Fixture.relyingParty().verifyRegistration(
                response, challenge: Fixture.challenge(), requiresUserVerification: true, at: Fixture.now)
        }
    }
}
