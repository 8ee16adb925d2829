package import Cryptography
package import JSON

/// An authenticator with its browser, under a test's control.
///
/// It shares no code with the tested module: a common error would go unnoticed.
package struct TestAuthenticator: Sendable {
    package var key: PrivateKey
    package var credentialID: [UInt8]
    package var userHandle: [UInt8]
    package var relyingPartyID: String
    package var origin: String
    package var aaguid = [UInt8](repeating: 0, count: 16)
    /// The flags of a passkey in a vendor's cloud.
    package var flags: UInt8 = 0x1D
    /// Zero for an authenticator without a counter.
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

    /// A new credential for creation options.
    ///
    /// `options` is a `PublicKeyCredentialCreationOptionsJSON`.
    package static func making(_ options: JSON, origin: String) throws -> TestAuthenticator {
        let userHandle = options["user"]?["id"]?.string.flatMap { Base64URL.decode($0) } ?? []
        return TestAuthenticator(
            key: try PrivateKey.generateP256(), credentialID: RandomBytes.system(32), userHandle: userHandle,
            relyingPartyID: options["rp"]?["id"]?.string ?? "", origin: origin)
    }

    /// The response to creation options, with a test's changes.
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

    /// The response to request options, with a test's changes; increments the counter if there is one.
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

    /// The response to a `PublicKeyCredentialCreationOptionsJSON`.
    package func register(_ options: JSON) throws -> JSON {
        try register(challenge: Self.challenge(options))
    }

    /// The response to a `PublicKeyCredentialRequestOptionsJSON`.
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
