import Cryptography
import FoundationEssentials
import JSON
import Testing
import WebAuthn
import WebAuthnTestAuthenticator

/// A relying party, a credential and a time that most tests share.
enum Fixture {
    static let origin = "https://login.example.com"
    static let challengeBytes = SHA256.hash("challenge")
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let key = Result { try PrivateKey.generateP256() }

    static func challenge() throws -> Challenge {
        try #require(Challenge(challengeBytes))
    }

    static func relyingParty(
        crossOrigin: RelyingParty.CrossOrigin = .refused, attestation: RelyingParty.Attestation = .none
    ) throws -> RelyingParty {
        try RelyingParty(
            id: "example.com", name: "Example", origins: ["https://other.example.com", origin],
            crossOrigin: crossOrigin, attestation: attestation)
    }

    static func authenticator(signCount: UInt32 = 0) throws -> TestAuthenticator {
        var authenticator = TestAuthenticator(
            key: try key.get(), credentialID: SHA256.hash("credential"), userHandle: [1, 2, 3, 4],
            relyingPartyID: "example.com", origin: origin)
        authenticator.signCount = signCount
        authenticator.aaguid = Array(1...16)
        return authenticator
    }

    static func register(
        _ response: JSON, relyingParty: RelyingParty? = nil, requiresUserVerification: Bool = true
    ) throws -> RegisteredCredential {
        try (try relyingParty ?? Self.relyingParty()).verifyRegistration(
            RegistrationResponse(response), challenge: challenge(),
            requiresUserVerification: requiresUserVerification, at: now)
    }

    /// Verifies an assertion against the registration of ``authenticator(signCount:)``.
    static func verify(
        _ response: JSON, relyingParty: RelyingParty? = nil, signCount: UInt32 = 0,
        allowedIDs: [[UInt8]]? = nil, requiresUserVerification: Bool = true
    ) throws -> Assertion {
        let authenticator = try authenticator()
        return try (try relyingParty ?? Self.relyingParty()).verifyAssertion(
            AuthenticationResponse(response), challenge: challenge(),
            credential: StoredCredential(
                id: authenticator.credentialID, publicKey: authenticator.encodedKey, signCount: signCount,
                isBackupEligible: true, userHandle: authenticator.userHandle),
            allowedIDs: allowedIDs ?? [authenticator.credentialID],
            requiresUserVerification: requiresUserVerification)
    }
}

extension TestAuthenticator {
    var encodedKey: [UInt8] { CBORItem.map(COSEKeyItem.entries(key.publicKey)).encoded }
}

/// A change to a valid value, and the expected reason of the refusal.
struct Refusal<Draft>: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: WebAuthnError
    let change: @Sendable (inout Draft) throws -> Void

    init(_ name: String, _ reason: WebAuthnError, _ change: @escaping @Sendable (inout Draft) throws -> Void) {
        self.name = name
        self.reason = reason
        self.change = change
    }

    var testDescription: String { name }
}

extension JSONObject {
    /// Changes a member of an object that is a member of this one.
    mutating func change(_ name: String, in outer: String, to value: JSON?) {
        guard var inner = self[outer]?.object else { return }
        inner[name] = value
        self[outer] = .object(inner)
    }
}

extension [UInt8] {
    func flipping(_ bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
