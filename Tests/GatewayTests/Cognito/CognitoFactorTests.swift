import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: second factors", .gateway())
struct CognitoFactorTests {
    @Test("an authenticator app is associated, verified, asked for and removed")
    func totp() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let access = JSON.string(tokens.accessToken)
        let secret = try Self.secret(try await api.call("AssociateSoftwareToken", ["AccessToken": access]))
        let wrong = try await api.call(
            "VerifySoftwareToken", ["AccessToken": access, "UserCode": .string(GatewayProcess.wrongCode(secret))])
        #expect(wrong["error"] == "EnableSoftwareTokenMFAException", "\(wrong.text)")
        let verified = try await api.call(
            "VerifySoftwareToken",
            ["AccessToken": access, "UserCode": .string(GatewayProcess.code(secret)), "FriendlyDeviceName": "Phone"])
        #expect(verified["Status"] == "SUCCESS", "\(verified.text)")
        let preferred = try await api.call(
            "SetUserMFAPreference",
            ["AccessToken": access, "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": true]])
        #expect(preferred == [:])
        let user = try await api.call("GetUser", ["AccessToken": access])
        #expect(
            user["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"] && user["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA")
        for answer in [try await api.passwordAuth(email), try await api.srpAuth(email)] {
            #expect(answer["ChallengeName"] == "SOFTWARE_TOKEN_MFA", "\(answer.text)")
        }
        let asked = try await api.passwordAuth(email)
        let session = try #require(asked["Session"]?.string)
        func answer(_ code: String) async throws -> JSON {
            try await api.respond(
                "SOFTWARE_TOKEN_MFA", session, ["USERNAME": .string(email), "SOFTWARE_TOKEN_MFA_CODE": .string(code)])
        }
        #expect(try await answer(GatewayProcess.wrongCode(secret))["error"] == "CodeMismatchException")
        try await api.gateway.change("update factors set counter = counter - 100")
        _ = try CognitoTokensAnswer(try await answer(GatewayProcess.code(secret)))
        let removed = try await api.call(
            "SetUserMFAPreference", ["AccessToken": access, "SoftwareTokenMfaSettings": ["Enabled": false]])
        #expect(removed == [:], "\(removed.text)")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
    }

    private static func secret(_ answer: JSON) throws -> [UInt8] {
        try Base32Text.bytes(of: try #require(answer["SecretCode"]?.string, "\(answer.text)"))
    }

    @Test("GetUserAuthFactors lists the first factors of the account")
    func firstFactors() async throws {
        let api = try await CognitoAPI.current
        let tokens = try await api.anyone()
        let factors = try await api.call("GetUserAuthFactors", ["AccessToken": .string(tokens.accessToken)])
        #expect(factors["ConfiguredUserAuthFactors"] == ["PASSWORD", "EMAIL_OTP"], "\(factors.text)")
        #expect(factors["Username"] == (try tokens.access["sub"]))
    }
}

@Suite("Cognito's API: demanded second factors", .gateway())
struct CognitoDemandedFactorTests {
    private func api() async throws -> CognitoAPI {
        let api = try await CognitoAPI.current
        try await api.gateway.change("update clients set mfa = 'required' where id = 'app' and mfa <> 'required'")
        _ = try await poll {
            let email = Fresh.email()
            try await api.signUp(email)
            return try await api.passwordAuth(email)["ChallengeName"] == "MFA_SETUP" ? () : nil
        }
        return api
    }

    @Test("MFA_SETUP with an authenticator app: associate, verify, and fetch the tokens")
    func setUp() async throws {
        let api = try await api()
        let email = Fresh.email()
        try await api.signUp(email)
        let asked = try await api.passwordAuth(email)
        let offered = try JSON(
            parsing: try #require(asked["ChallengeParameters"]?["MFAS_CAN_SETUP"]?.string, "\(asked.text)"))
        #expect(offered.array?.contains("SOFTWARE_TOKEN_MFA") == true)
        let associated = try await api.call("AssociateSoftwareToken", ["Session": asked["Session"] ?? .null])
        let secret = try Base32Text.bytes(of: try #require(associated["SecretCode"]?.string, "\(associated.text)"))
        let verified = try await api.call(
            "VerifySoftwareToken",
            ["Session": associated["Session"] ?? .null, "UserCode": .string(GatewayProcess.code(secret))])
        #expect(verified["Status"] == "SUCCESS", "\(verified.text)")
        let session = try #require(verified["Session"]?.string)
        let tokens = try CognitoTokensAnswer(
            try await api.respond("MFA_SETUP", session, ["USERNAME": .string(email)]))
        #expect(
            try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])["UserMFASettingList"] == [
                "SOFTWARE_TOKEN_MFA"
            ])
        #expect(
            try await api.respond("MFA_SETUP", session, ["USERNAME": .string(email)])["error"]
                == "NotAuthorizedException")
    }

    @Test("MFA_SETUP with another mailbox: an address, then its code")
    func mailbox() async throws {
        let api = try await api()
        let (email, second) = (Fresh.email(), Fresh.email())
        try await api.signUp(email)
        let asked = try await api.passwordAuth(email)
        let sent = try await api.respond(
            "MFA_SETUP", try #require(asked["Session"]?.string), ["USERNAME": .string(email), "EMAIL": .string(second)])
        #expect(sent["ChallengeName"] == "EMAIL_OTP", "\(sent.text)")
        let code = try await api.gateway.mailedCode(to: second)
        var answer = try await api.respond(
            "EMAIL_OTP", try #require(sent["Session"]?.string),
            ["USERNAME": .string(email), "EMAIL_OTP_CODE": .string(code)])
        _ = try CognitoTokensAnswer(answer)
        answer = try await api.passwordAuth(email)
        #expect(answer["ChallengeName"] == "EMAIL_OTP", "\(answer.text)")
    }
}
