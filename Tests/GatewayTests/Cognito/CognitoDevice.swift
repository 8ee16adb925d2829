import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// A device with its secret, as the SDKs make it.
struct CognitoDevice: Sendable {
    var key: String
    let group: String
    /// The token of the sign-in that gave the key.
    let accessToken: String
    var secret = "a random secret of the device"

    /// The device of `NewDeviceMetadata`.
    init(_ answer: JSON, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try #require(answer["AuthenticationResult"], "\(answer.text)", sourceLocation: sourceLocation)
        let metadata = try #require(result["NewDeviceMetadata"], "\(answer.text)", sourceLocation: sourceLocation)
        key = try #require(metadata["DeviceKey"]?.string, sourceLocation: sourceLocation)
        group = try #require(metadata["DeviceGroupKey"]?.string, sourceLocation: sourceLocation)
        accessToken = try #require(result["AccessToken"]?.string, sourceLocation: sourceLocation)
        #expect(key.wholeMatch(of: /eu-central-1_[0-9a-f-]{36}/) != nil, sourceLocation: sourceLocation)
    }

    /// `ConfirmDevice`, by default with the verifier of the secret.
    func confirm(_ api: CognitoAPI, salt: String? = nil, verifier: String? = nil) async throws -> JSON {
        let made = SRPVerifier(realm: group, user: key, password: Secret(secret))
        return try await api.call(
            "ConfirmDevice",
            [
                "AccessToken": .string(accessToken), "DeviceKey": .string(key), "DeviceName": "Ann's phone",
                "DeviceSecretVerifierConfig": [
                    "Salt": .string(salt ?? Self.number(made.saltBytes)),
                    "PasswordVerifier": .string(verifier ?? Self.number(made.bytes)),
                ],
            ])
    }

    /// A positive number in two's complement, in Base64.
    private static func number(_ bytes: [UInt8]) -> String {
        let sign: [UInt8] = bytes.first.map { $0 >= 0x80 } == true ? [0] : []
        return Data(sign + bytes).base64EncodedString()
    }

    /// Answers `DEVICE_SRP_AUTH` and `DEVICE_PASSWORD_VERIFIER`; returns the last answer.
    func prove(_ asked: JSON, _ api: CognitoAPI, sendsSession: Bool = true) async throws -> JSON {
        let client = SRPClient()
        let session = sendsSession ? asked["Session"]?.string : nil
        let verifier = try await api.respond(
            "DEVICE_SRP_AUTH", session,
            ["USERNAME": "anyone", "DEVICE_KEY": .string(key), "SRP_A": .string(client.publicValue)])
        guard let values = verifier["ChallengeParameters"] else { return verifier }
        #expect(verifier["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER" && values["DEVICE_KEY"] == .string(key))
        #expect(values["USERNAME"] == "anyone")
        let block = try #require(values["SECRET_BLOCK"]?.string)
        let timestamp = "Sat Nov 7 09:05:03 UTC 2026"
        let (salt, server) = (try #require(values["SALT"]?.string), try #require(values["SRP_B"]?.string))
        let bytes = Array(try #require(Data(base64Encoded: block)))
        let signature = try #require(
            client.signature(
                realm: group, user: key, password: Secret(secret), salt: salt, serverValue: server, secretBlock: bytes,
                timestamp: timestamp))
        return try await api.respond(
            "DEVICE_PASSWORD_VERIFIER", sendsSession ? verifier["Session"]?.string : nil,
            [
                "USERNAME": "anyone", "DEVICE_KEY": .string(key), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block),
                "TIMESTAMP": .string(timestamp),
                "PASSWORD_CLAIM_SIGNATURE": .string(Data(signature).base64EncodedString()),
            ])
    }
}

/// A user with an authenticator app.
struct CognitoProtectedUser: Sendable {
    let api: CognitoAPI
    let email: String
    let sub: String
    private let secret: [UInt8]

    /// - Parameter email: an existing user without a second factor; nil signs up a new one.
    init(_ api: CognitoAPI, _ email: String? = nil) async throws {
        self.api = api
        self.email = email ?? Fresh.email()
        if email == nil { try await api.signUp(self.email) }
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(self.email))
        let claims = try tokens.access
        sub = try #require(claims["sub"]?.string)
        let access = JSON.string(tokens.accessToken)
        let associated = try await api.call("AssociateSoftwareToken", ["AccessToken": access])
        let code = try #require(associated["SecretCode"]?.string, "\(associated.text)")
        secret = try Base32Text.bytes(of: code)
        _ = try await api.call(
            "VerifySoftwareToken", ["AccessToken": access, "UserCode": .string(GatewayProcess.code(secret))])
        _ = try await api.call(
            "SetUserMFAPreference",
            ["AccessToken": access, "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": true]])
    }

    func passwordAuth(_ device: CognitoDevice) async throws -> JSON {
        try await api.passwordAuth(email, device: device.key)
    }

    /// Signs in with both factors.
    func signIn(_ device: CognitoDevice? = nil) async throws -> JSON {
        try await prove(try await api.passwordAuth(email, device: device?.key), device)
    }

    /// Answers `SOFTWARE_TOKEN_MFA`.
    func prove(_ asked: JSON, _ device: CognitoDevice? = nil) async throws -> JSON {
        try #require(asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA", "\(asked.text)")
        try await api.gateway.change("update factors set counter = counter - 100 where account_id = \(sub)::uuid")
        var responses: JSONObject = [
            "USERNAME": .string(email), "SOFTWARE_TOKEN_MFA_CODE": .string(GatewayProcess.code(secret)),
        ]
        responses["DEVICE_KEY"] = device.map { .string($0.key) }
        return try await api.respond("SOFTWARE_TOKEN_MFA", asked["Session"]?.string, responses)
    }

    /// A device that was confirmed after a sign-in with both factors.
    func confirmedDevice() async throws -> CognitoDevice {
        let device = try CognitoDevice(try await signIn())
        let confirmed = try await device.confirm(api)
        try #require(confirmed["error"] == nil, "\(confirmed.text)")
        return device
    }
}
