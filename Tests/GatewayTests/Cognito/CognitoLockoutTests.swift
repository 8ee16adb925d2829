import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// Guesses by strangers; this gateway allows six at once on an account, and one more an hour.
@Suite(
    "Cognito's API: guesses by strangers",
    .gateway([
        "THROTTLE_ACCOUNT_BURST": "6", "THROTTLE_ACCOUNT_PER_HOUR": "1", "TRUSTED_PROXIES": "127.0.0.1",
    ]))
struct CognitoLockoutTests {
    /// A caller from one network.
    private struct Place {
        let api: CognitoAPI
        let address: String

        func call(_ operation: String, _ parameters: JSONObject) async throws -> JSON {
            var parameters = parameters
            parameters["ClientId"] = .string(api.clientID)
            return try await api.raw(operation, .object(parameters), headers: [("X-Forwarded-For", address)]).json
        }

        func plain(_ name: String, _ password: String, device: String? = nil) async throws -> JSON {
            var parameters: JSONObject = ["USERNAME": .string(name), "PASSWORD": .string(password)]
            parameters["DEVICE_KEY"] = device.map(JSON.string)
            return try await call(
                "InitiateAuth", ["AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": .object(parameters)])
        }

        func srp(_ name: String, _ password: String, device: String? = nil) async throws -> JSON {
            let client = SRPClient()
            let asked = try await call(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_SRP_AUTH",
                    "AuthParameters": ["USERNAME": .string(name), "SRP_A": .string(client.publicValue)],
                ])
            guard asked["ChallengeName"] == "PASSWORD_VERIFIER" else { return asked }
            var responses = try api.proof(asked, client, password)
            responses["DEVICE_KEY"] = device.map(JSON.string)
            return try await call(
                "RespondToAuthChallenge",
                ["ChallengeName": "PASSWORD_VERIFIER", "ChallengeResponses": .object(responses)])
        }
    }

    private static let wrong = "another password 5"
    private static let right = GatewayProcess.password

    private func places() async throws -> (api: CognitoAPI, owner: Place, stranger: Place) {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        return (
            api, Place(api: api, address: "127.0.0.1"), Place(api: api, address: "203.0.113.\(Int.random(in: 1...254))")
        )
    }

    @Test("3-D9: one budget counts every guess at an account's password: by any name, plain, by SRP, in a step")
    func oneBudget() async throws {
        let (api, owner, stranger) = try await places()
        let (email, name) = (Fresh.email(), "ann-\(Fresh.text())".lowercased())
        let sub = try await api.signUp(email)
        try await api.gateway.change(
            "update accounts set user_name = \(name), user_name_key = \(name) where id = \(sub)::uuid")
        for typed in [name, email] { _ = try CognitoTokensAnswer(try await owner.plain(typed, Self.right)) }
        for _ in 0..<2 {
            #expect(try await stranger.plain(email, Self.wrong)["__type"] == "NotAuthorizedException")
            #expect(try await stranger.srp(name, Self.wrong)["__type"] == "NotAuthorizedException")
            #expect(try await stranger.srp(email, Self.wrong)["__type"] == "NotAuthorizedException")
        }
        // Each name has guesses left; the account has none, and says so with the words of a wrong password.
        for typed in [email, name] {
            #expect(try await stranger.plain(typed, Self.right)["__type"] == "NotAuthorizedException")
            #expect(try await stranger.srp(typed, Self.right)["__type"] == "NotAuthorizedException")
        }
        for typed in [email, name] {
            _ = try CognitoTokensAnswer(try await owner.plain(typed, Self.right))
            _ = try CognitoTokensAnswer(try await owner.srp(typed, Self.right))
        }
    }

    @Test("3-D3: guesses of strangers lock out neither an earlier network nor a confirmed device")
    func lockout() async throws {
        let (api, owner, stranger) = try await places()
        let email = Fresh.email()
        try await api.signUp(email)
        let device = try CognitoDevice(try await api.passwordAuth(email))
        #expect(try await device.confirm(api)["error"] == nil)
        for _ in 0..<8 {
            _ = try await stranger.plain(email, Self.wrong)
            _ = try await stranger.srp(email, Self.wrong)
        }
        #expect(try await stranger.plain(email, Self.right)["__type"] != nil)
        _ = try CognitoTokensAnswer(try await owner.plain(email, Self.right))
        _ = try CognitoTokensAnswer(try await owner.srp(email, Self.right))
        let elsewhere = Place(api: api, address: "198.51.100.7")
        #expect(try await elsewhere.plain(email, Self.right)["__type"] != nil)
        #expect(try await elsewhere.srp(email, Self.right)["__type"] != nil)
        _ = try CognitoTokensAnswer(try await elsewhere.srp(email, Self.right, device: device.key))
        _ = try CognitoTokensAnswer(try await elsewhere.plain(email, Self.right, device: device.key))
    }

    @Test("3-D3: wrong codes by name from elsewhere leave the owner's code, and are still few")
    func codes() async throws {
        let (api, _, stranger) = try await places()
        let email = Fresh.email()
        try await api.signUp(email)
        // A network without an earlier session, where the owner asks for the code.
        let owner = Place(api: api, address: "198.51.100.9")
        #expect(try await owner.call("ForgotPassword", ["Username": .string(email)])["CodeDeliveryDetails"] != nil)
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        func confirm(_ place: Place, _ code: String) async throws -> JSON {
            try await place.call(
                "ConfirmForgotPassword",
                [
                    "Username": .string(email), "ConfirmationCode": .string(code),
                    "Password": "a quiet otter below the mill 7",
                ])
        }
        for guess in 1...7 { _ = try await confirm(stranger, GatewayProcess.wrong(code, guess)) }
        #expect(
            try await confirm(stranger, code)["__type"] != nil, "five guesses from elsewhere, even at the right code")
        #expect(try await confirm(owner, GatewayProcess.wrong(code, 1))["__type"] == "CodeMismatchException")
        #expect(try await confirm(owner, code) == [:])
    }

    @Test("3-D3: sign-ins here leave no device marks, so they evict none that a device holds")
    func marks() async throws {
        let (api, owner, _) = try await places()
        let email = Fresh.email()
        let signUp = try await api.gateway.signUp(email)
        let device = try #require(signUp.device)
        for _ in 0..<9 { _ = try CognitoTokensAnswer(try await owner.plain(email, Self.right)) }
        let kept = try await api.gateway.count(
            "select count(*) from known_devices where account_id = \(signUp.account)::uuid")
        #expect(kept == 1)
        _ = try SignedInAnswer(try await api.gateway.passwordSignIn(email, Self.right, device: device))
    }
}
