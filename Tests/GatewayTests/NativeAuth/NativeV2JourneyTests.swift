import JSON
import Postgres
import TestSupport
import Testing

@Suite("Native authentication, version 2: sign-up and reset", .gateway(["CLIENT_ATTRIBUTES": "given_name,tier!"]))
struct NativeV2JourneyTests {
    private static let other = "another fine password 9"
    private static let complete: JSONObject = ["password": .string(GatewayProcess.password), "tier": "gold"]

    /// An account with a password.
    private func person(_ email: String, _ api: NativeV2API) async throws -> NativeAuthTokensAnswer {
        try await api.tokens(try await api.signUp(email, Self.complete))
    }

    @Test("a sign-up asks for the address, sends a code, then asks once for everything that is missing")
    func signUp() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        let asked = try await api.begin("sign_up", email)
        #expect(asked.attributes == ["email": true])
        let invalid = try await api.follow("submitAttributes", of: asked, ["attributes": ["email": "bob"]])
        #expect(invalid.details == ["email": "invalidValue"], "\(invalid.json.text)")
        let verify = try await api.follow("submitAttributes", of: asked, ["attributes": ["email": .string(email)]])
        try verify.requireVerify("email")
        let code = try await api.gateway.mailedCode(to: email)
        let wrong = try await api.follow("verify", of: verify, ["otp": code == "000000" ? "000001" : "000000"])
        #expect(wrong.innerCode == "invalidOneTimeCode")
        let lacking = try await api.follow("verify", of: verify, ["otp": .string(code)])
        #expect(
            lacking.attributes == ["password": true, "displayName": false, "givenName": false, "tier": true],
            "\(lacking.json.text)")
        let weak = try await submit(["password": "bob", "tier": "gold"], lacking, api)
        #expect(weak.details == ["password": "passwordPolicyViolation"], "\(weak.json.text)")
        let partial = try await submit(["password": .string(Self.other)], lacking, api)
        #expect(partial.innerCode == "attributeValidationError" && partial.details == ["tier": "invalidValue"])
        let unprotected = try await submit(["tier": "gold"], lacking, api)
        #expect(unprotected.details == ["password": "invalidValue"], "\(unprotected.json.text)")
        #expect(try await api.gateway.passwordSignIn(email, Self.other).status == 401, "no account before its data")
        let all: JSONObject = ["password": .string(Self.other), "displayName": "Bob Example", "tier": "gold"]
        let finished = try await submit(all, lacking, api)
        let tokens = try await api.tokens(finished)
        #expect(tokens.identity["name"] == "Bob Example" && tokens.identity["tier"] == "gold")
        #expect(try await submit(all, lacking, api).isOver)
        #expect(try await api.passwordSignIn(email, Self.other).isFinished)
    }

    private func submit(_ attributes: JSONObject, _ asked: NativeV2Answer, _ api: NativeV2API) async throws
        -> NativeV2Answer
    {
        try await api.follow("submitAttributes", of: asked, ["attributes": .object(attributes)])
    }

    @Test("a sign-up that sent everything at once ends with its code")
    func signUpAtOnce() async throws {
        let api = try await NativeV2API.current
        let finished = try await api.signUp(
            Fresh.email(),
            ["displayName": "Bob Example", "password": .string(Self.other), "tier": "gold", "shoe": 41])
        #expect(try await api.tokens(finished).identity["tier"] == "gold")
    }

    @Test("a password of the first submission is kept, and only the rest is asked for")
    func keptPassword() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        let asked = try await api.signUp(email, ["password": .string(Self.other), "displayName": "Bob"])
        #expect(asked.attributes == ["givenName": false, "tier": true], "\(asked.json.text)")
        #expect(try await submit(["tier": "gold"], asked, api).isFinished)
        #expect(try await api.passwordSignIn(email, Self.other).isFinished)
        let weak = try await api.begin("sign_up", nil)
        let refused = try await submit(["email": .string(Fresh.email()), "password": "bob"], weak, api)
        #expect(refused.details == ["password": "passwordPolicyViolation"], "\(refused.json.text)")
    }

    @Test("a proved sign-up answers neither its code nor a request for another one")
    func provedSignUp() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        let asked = try await api.begin("sign_up", nil)
        let verify = try await submit(["email": .string(email)], asked, api)
        let code = try await api.gateway.mailedCode(to: email)
        let lacking = try await api.follow("verify", of: verify, ["otp": .string(code)])
        try await api.gateway.change("update flows set resend_after = now() where address_key = \(email)")
        #expect(try await api.follow("verify", of: verify, ["otp": .string(code)]).isOver)
        #expect(try await api.follow("resend", of: verify).isOver)
        #expect(try await api.signUp(email, Self.complete, number: 2).isFinished)
        // The other sign-up proved the address, which ends this one.
        let taken = try await submit(["password": .string(Self.other), "tier": "gold"], lacking, api)
        #expect(taken.isOver, "\(taken.json.text)")
    }

    @Test("a reset sets the password by PUT, is done at the first poll, and signs in")
    func reset() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        let person = try await person(email, api)
        let verify = try await api.choose("email", of: try await api.begin("reset_password", email))
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        let wrong = try await api.follow("verify", of: verify, ["otp": code == "000000" ? "000001" : "000000"])
        #expect(wrong.innerCode == "invalidOneTimeCode")
        let update = try await api.follow("verify", of: verify, ["otp": .string(code)])
        #expect(update.action == "update", "\(update.json.text)")
        let weak = try await api.follow("update", of: update, ["newPassword": "ann"], method: "PUT")
        #expect(weak.innerCode == "passwordTooWeak" && weak.message.hasPrefix("AADSTS120002"), "\(weak.json.text)")
        let poll = try await api.follow("update", of: update, ["newPassword": .string(Self.other)], method: "PUT")
        #expect(poll.action == "poll", "\(poll.json.text)")
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", person.refreshToken)]
        #expect(try await api.versionOne.call("/oauth2/v2.0/token", refresh).error == "invalid_grant")
        _ = try await api.tokens(try await api.follow("poll", of: poll))
        #expect(try await api.passwordSignIn(email, Self.other).isFinished)
    }

    @Test("an unknown user, and an address with an account, get the same answers as others")
    func enumeration() async throws {
        let api = try await NativeV2API.current
        let (known, unknown) = (Fresh.email(), Fresh.email())
        _ = try await person(known, api)
        #expect(try await api.passwordSignIn(unknown).innerCode == "invalidUserNameOrPassword")
        for journey in ["sign_in", "reset_password"] {
            let verify = try await api.choose("email", of: try await api.begin(journey, unknown))
            #expect(
                try await api.follow("verify", of: verify, ["otp": "123456"]).innerCode == "invalidOneTimeCode")
        }
        let asked = try await api.begin("sign_up", nil)
        let verify = try await submit(["email": .string(known), "tier": "gold"], asked, api)
        try verify.requireVerify("email")
        #expect(try await api.follow("verify", of: verify, ["otp": "123456"]).innerCode == "invalidOneTimeCode")
    }

    @Test("an app that reveals users learns that a user is unknown, or exists")
    func revealing() async throws {
        try await withGateway { gateway in
            let api = try await NativeV2API.enabled(on: gateway)
            let known = Fresh.email()
            _ = try await person(known, api)
            try await gateway.change(
                "update clients set dialects = jsonb_set(dialects, '{native_auth,reveals_users}', 'true') where id = 'app'"
            )
            let unknown = try await poll {
                let answer = try await api.begin("sign_in", Fresh.email())
                return answer.status == 400 ? answer : nil
            }
            #expect(unknown.code == "invalidRequest" && unknown.message.hasPrefix("AADSTS50034"))
            let asked = try await api.begin("sign_up", known)
            let taken = try await api.follow("submitAttributes", of: asked, ["attributes": ["email": .string(known)]])
            #expect(taken.code == "invalidRequest" && taken.details == ["email": "userAlreadyExists"])
        }
    }
}
