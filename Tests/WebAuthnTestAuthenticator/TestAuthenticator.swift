package import Cryptography
package import JSON

/// An authenticator together with its browser, which does what a test tells it.
///
/// It shares nothing with the module that it is used against: what both got wrong would go unseen.
package struct TestAuthenticator: Sendable {
    package var key: PrivateKey
    package var credentialID: [UInt8]
    package var userHandle: [UInt8]
    package var relyingPartyID: String
    package var origin: String
    package var aaguid = [UInt8](repeating: 0, count: 16)
    /// Those of a passkey that is kept in a vendor's cloud.
    package var flags: UInt8 = 0x1D
    /// Zero for one that does not count.
    package var signCount: UInt32 = 0

    package init(
        key: PrivateKey, credentialID: [UInt8], userHandle: [UInt8], relyingPartyID: String, origin: String
    ) {
        self.key = key
        self.credentialID = credentialID
        self.userHandle = userHandle
        self.relyingPartyID = relyingPartyID
        self.origin = origin
    }

    /// A new credential as creation options ask for it.
    ///
    /// `options` is a `PublicKeyCredentialCreationOptionsJSON`.
    package static func making(_ options: JSON, origin: String) throws -> TestAuthenticator {
        let userHandle = options["user"]?["id"]?.string.flatMap { Base64URL.decode($0) } ?? []
        return TestAuthenticator(
            key: try PrivateKey.generateP256(), credentialID: RandomBytes.system(32), userHandle: userHandle,
            relyingPartyID: options["rp"]?["id"]?.string ?? "", origin: origin)
    }

    /// The answer to creation options, changed as a test likes.
    package func register(
        challenge: [UInt8], _ change: (inout RegistrationDraft) throws -> Void = { _ in }
    ) throws -> JSON {
        var data = authenticatorData
        data.flags |= AuthenticatorDataDraft.Flag.attestedCredential
        data.attestedCredential = .init(aaguid: aaguid, id: credentialID, key: COSEKeyItem.entries(key.publicKey))
        var draft = RegistrationDraft(
            clientData: clientData("webauthn.create", challenge), authenticatorData: data, attestation: .none)
        try change(&draft)
        return try response(to: draft)
    }

    /// The answer to request options, changed as a test likes; counts one up if this authenticator counts.
    package mutating func assert(
        challenge: [UInt8], _ change: (inout AssertionDraft) throws -> Void = { _ in }
    ) throws -> JSON {
        if signCount > 0 { signCount += 1 }
        var draft = AssertionDraft(
            clientData: clientData("webauthn.get", challenge), authenticatorData: authenticatorData,
            userHandle: userHandle)
        try change(&draft)
        return try response(to: draft)
    }

    /// The answer to a `PublicKeyCredentialCreationOptionsJSON`.
    package func register(_ options: JSON) throws -> JSON {
        try register(challenge: Self.challenge(options))
    }

    /// The answer to a `PublicKeyCredentialRequestOptionsJSON`.
    package mutating func assert(_ options: JSON) throws -> JSON {
        try assert(challenge: Self.challenge(options))
    }

    private static func challenge(_ options: JSON) -> [UInt8] {
        options["challenge"]?.string.flatMap { Base64URL.decode($0) } ?? []
    }

    private var authenticatorData: AuthenticatorDataDraft {
        AuthenticatorDataDraft(relyingPartyID: relyingPartyID, flags: flags, signCount: signCount)
    }

    private func clientData(_ type: String, _ challenge: [UInt8]) -> JSONObject {
        [
            "type": .string(type), "challenge": .string(Base64URL.encode(challenge)), "origin": .string(origin),
            "crossOrigin": false,
        ]
    }
}
