import Foundation
import JSON
import Testing

@Suite("Cognito's API: text messages and several factors", .gateway(StepServer.configuration))
struct CognitoSeveralFactorTests {
    @Test("SMS_OTP signs in with a number")
    func firstFactor() async throws {
        let api = try await CognitoAPI.current
        let (email, phone) = (Fresh.email(), GatewayProcess.freshPhone())
        let sub = try await api.signUp(email)
        try await api.gateway.prove(phone, of: sub)
        let asked = try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_AUTH",
                "AuthParameters": ["USERNAME": .string(phone), "PREFERRED_CHALLENGE": "SMS_OTP"],
            ])
        #expect(asked["ChallengeName"] == "SMS_OTP", "\(asked.text)")
        try expectText(asked, to: phone)
        let session = try #require(asked["Session"]?.string)
        let code = try await api.gateway.textedCode(to: phone)
        func answer(_ code: String) async throws -> JSON {
            try await api.respond("SMS_OTP", session, ["USERNAME": .string(phone), "SMS_OTP_CODE": .string(code)])
        }
        #expect(try await answer(GatewayProcess.wrong(code))["error"] == "CodeMismatchException")
        let tokens = try CognitoTokensAnswer(try await answer(code))
        #expect(try tokens.access["sub"] == .string(sub))
    }

    @Test("a number as second factor is asked for by SMS_MFA")
    func secondFactor() async throws {
        let api = try await CognitoAPI.current
        let phone = GatewayProcess.freshPhone()
        let person = try await api.gateway.person(withFactor: "sms", at: phone)
        let asked = try await api.passwordAuth(person.email)
        #expect(asked["ChallengeName"] == "SMS_MFA", "\(asked.text)")
        try expectText(asked, to: phone)
        let code = try await api.gateway.textedCode(to: phone, number: 2)
        let tokens = try CognitoTokensAnswer(
            try await api.respond(
                "SMS_MFA", asked["Session"]?.string,
                ["USERNAME": .string(person.email), "SMS_MFA_CODE": .string(code)]))
        #expect(try await api.settings(tokens) == ["SMS_MFA"])
        func set(_ options: JSON) async throws -> JSON {
            try await api.call(
                "SetUserSettings", ["AccessToken": .string(tokens.accessToken), "MFAOptions": options])
        }
        #expect(try await set([["DeliveryMedium": "SMS", "AttributeName": "phone_number"]]) == [:])
        #expect(try await api.settings(tokens) == ["SMS_MFA"])
        #expect(try await set([]) == [:])
        #expect(try await api.settings(tokens) == nil)
    }

    @Test("SELECT_MFA_TYPE offers the factors, and asks for the chosen one until one is preferred")
    func selection() async throws {
        let api = try await CognitoAPI.current
        let phone = GatewayProcess.freshPhone()
        var person = try await api.gateway.protectedPerson()
        let bearer = try await api.gateway.signIn(person).accessToken
        try await api.gateway.add(&person, "sms", at: phone, bearer: bearer)

        var asked = try await api.passwordAuth(person.email)
        #expect(asked["ChallengeName"] == "SELECT_MFA_TYPE", "\(asked.text)")
        let offered = try #require(asked["ChallengeParameters"]?["MFAS_CAN_CHOOSE"]?.string)
        #expect(try JSON(parsing: offered) == ["SOFTWARE_TOKEN_MFA", "SMS_MFA"])
        let unknown = try await api.choose("EMAIL", of: asked, person)
        #expect(unknown["error"] == "InvalidParameterException", "\(unknown.text)")

        asked = try await api.choose("SMS_MFA", of: asked, person)
        #expect(asked["ChallengeName"] == "SMS_MFA", "\(asked.text)")
        let code = try await api.gateway.textedCode(to: phone, number: 2)
        let tokens = try CognitoTokensAnswer(
            try await api.respond(
                "SMS_MFA", asked["Session"]?.string,
                ["USERNAME": .string(person.email), "SMS_MFA_CODE": .string(code)]))
        #expect(try await api.settings(tokens) == ["SOFTWARE_TOKEN_MFA", "SMS_MFA"])

        asked = try await api.choose("SOFTWARE_TOKEN_MFA", of: try await api.passwordAuth(person.email), person)
        #expect(asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA", "\(asked.text)")
        let fresh = try await api.gateway.freshCode(person)
        _ = try CognitoTokensAnswer(
            try await api.respond(
                "SOFTWARE_TOKEN_MFA", asked["Session"]?.string,
                ["USERNAME": .string(person.email), "SOFTWARE_TOKEN_MFA_CODE": .string(fresh)]))

        let preferred = try await api.call(
            "SetUserMFAPreference",
            [
                "AccessToken": .string(tokens.accessToken),
                "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": true],
            ])
        #expect(preferred == [:], "\(preferred.text)")
        #expect(try await api.passwordAuth(person.email)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
    }

    private func expectText(
        _ asked: JSON, to phone: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let parameters = try #require(asked["ChallengeParameters"], sourceLocation: sourceLocation)
        #expect(parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] == "SMS", sourceLocation: sourceLocation)
        let destination = try #require(
            parameters["CODE_DELIVERY_DESTINATION"]?.string, sourceLocation: sourceLocation)
        #expect(destination.hasSuffix(phone.suffix(2)) && destination != phone, sourceLocation: sourceLocation)
    }
}

extension CognitoAPI {
    /// `UserMFASettingList`.
    fileprivate func settings(_ tokens: CognitoTokensAnswer) async throws -> JSON? {
        try await call("GetUser", ["AccessToken": .string(tokens.accessToken)])["UserMFASettingList"]
    }

    fileprivate func choose(_ factor: String, of asked: JSON, _ person: ProtectedPerson) async throws -> JSON {
        try await respond(
            "SELECT_MFA_TYPE", asked["Session"]?.string, ["USERNAME": .string(person.email), "ANSWER": .string(factor)])
    }
}
