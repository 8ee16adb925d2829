import Cryptography
import Foundation
import JSON
import Providers
import Testing

/// The adapter and the simulated tenant, both written from the API's page and independent of each other.
@Suite("Native authentication at the simulated external tenant", .simulated)
struct NativeSignInTests {
    @Test("a name and a password sign in; a wrong password or an unknown name doesn't")
    func password() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(["name": "Ann"])
        let identity = try #require(try await tenant.begin(name).identity)
        #expect(identity.subject == (try await tenant.seen(by: name)["oid"]?.string))
        #expect(identity.realm == SimulatedTenant.id)
        #expect(identity.displayName == "Ann" && identity.email?.address == name)
        #expect(try await tenant.begin(name, "wrong").end == .credentialsWrong)
        #expect(try await tenant.begin(Fresh.email()).end == .credentialsWrong)
    }

    @Test("a code signs in a user without a password; a new code ends the old one")
    func code() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(["password": .null])
        let asked = try await tenant.begin(name)
        guard case .otp(let delivery)? = asked.step else {
            Issue.record("\(asked)")
            return
        }
        #expect(delivery.medium == .email && delivery.codeLength == 8 && delivery.destination.contains("***@"))
        let old = try await tenant.code("sign_in", of: name)
        let again = try await tenant.resend(asked)
        if try await tenant.code("sign_in", of: name) != old {
            #expect(try await tenant.answer(.code(old), to: again).refusal == .codeWrong)
        }
        #expect(try await tenant.answer(code: "sign_in", of: name, to: again).identity != nil)
    }

    @Test("five wrong secrets end the sign-in", arguments: [true, false])
    func tooMany(byCode: Bool) async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(byCode ? ["password": .null] : [:])
        let asked = try await tenant.begin(name, nil)
        let wrong: StepwiseResponse = byCode ? .code("wrong") : .password(Secret("wrong"))
        for _ in 0..<5 {
            #expect(try await tenant.answer(wrong, to: asked).refusal == (byCode ? .codeWrong : .passwordWrong))
        }
        #expect(try await tenant.answer(wrong, to: asked).end == .expired)
    }

    @Test("a second factor is demanded after the password, by mail or SMS", arguments: ["email", "sms"])
    func secondFactor(channel: String) async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let target = channel == "sms" ? "+15550001234" : "ann@example.org"
        let name = try await tenant.user(["methods": [["channel": .string(channel), "target": .string(target)]]])
        let asked = try await tenant.begin(name)
        switch asked.step {
        case .otp(let delivery): #expect(channel == "email" && delivery.destination == "a***@e***")
        case .smsCode(let delivery): #expect(channel == "sms" && delivery.destination == "+********34")
        default: Issue.record("\(asked)")
        }
        let wrong = try await tenant.answer(.code("wrong"), to: asked)
        #expect(wrong.refusal == .codeWrong)
        let again = try await tenant.resend(wrong)
        #expect(try await tenant.answer(code: "second_factor", of: name, to: again).identity != nil)
        #expect(try await tenant.answer(.code("12345678"), to: again).end == .expired, "a token is good once")
    }

    @Test("one of several second factors is chosen; a blocked one is not offered")
    func chosen() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let methods: JSON = [
            ["channel": "email", "target": "ann@example.org"], ["channel": "sms", "target": "+15550001234"],
        ]
        let name = try await tenant.user(["methods": methods])
        let asked = try await tenant.begin(name)
        guard case .mfaSelection(let offered)? = asked.step else {
            Issue.record("\(asked)")
            return
        }
        #expect(offered.map(\.id) == ["email_otp", "sms_otp"])
        let code = try await tenant.answer(.choice("sms_otp"), to: asked)
        #expect(try await tenant.answer(code: "second_factor", of: name, to: code).identity != nil)
        let blocked = try await tenant.user(["methods": methods, "blocked": true])
        #expect(try await tenant.answer(.choice("sms_otp"), to: tenant.begin(blocked)).refusal == .methodRejected)
    }

    @Test("a required method is registered, and demanded the next time")
    func registration() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(["registration": ["email", "sms"]])
        let asked = try await tenant.begin(name)
        let contact = try await tenant.answer(.choice("email_otp"), to: asked)
        guard case .contactSetup(.email, let hint?)? = contact.step else {
            Issue.record("\(contact)")
            return
        }
        #expect(!hint.contains(name), "the address that the tenant knows is masked")
        let code = try await tenant.answer(.contact("bob@example.org"), to: contact)
        #expect(try await tenant.answer(.code("wrong"), to: code).refusal == .codeWrong)
        let again = try await tenant.resend(code)
        #expect(try await tenant.answer(code: "registration", of: name, to: again).identity != nil)
        guard case .otp(let delivery)? = try await tenant.begin(name).step else {
            Issue.record("no second factor was asked for")
            return
        }
        #expect(delivery.destination == "b***@e***")
    }

    // MARK: Sign-up

    @Test("a new user signs up: code, password, attributes, and a factor proved by the code")
    func signUp() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current, signUp: true)
        let name = try await tenant.user([
            "exists": false, "password": .null, "needs_password": true, "required_attributes": ["displayName", "city"],
            "registration": ["email"],
        ])
        let asked = try await tenant.begin(name, nil)
        guard case .confirmSignUp? = asked.step else {
            Issue.record("\(asked)")
            return
        }
        let again = try await tenant.resend(asked)
        let password = try await tenant.answer(code: "sign_up", of: name, to: again)
        #expect(password.step == .newPassword(requiredAttributes: []))
        for (weak, fault) in [("Password-1", PasswordFault.banned), ("aaaaaaaaaa", .tooWeak)] {
            #expect(
                try await tenant.answer(.newPassword(Secret(weak), attributes: [:]), to: password).refusal
                    == .passwordRejected([fault]))
        }
        let attributes = try await tenant.answer(
            .newPassword(Secret(SimulatedTenant.password), attributes: [:]), to: password)
        #expect(attributes.step == .attributes(required: ["displayName", "city"]))
        let long = String(repeating: "x", count: 65)
        let refused = try await tenant.answer(.attributes(["displayName": "Ann", "city": long]), to: attributes)
        #expect(refused.refusal == .attributesRejected(["city"]))
        let contact = try await tenant.answer(.attributes(["displayName": "Ann", "city": "Ulm"]), to: refused)
        guard case .contactSetup(.email, _)? = contact.step else {
            Issue.record("\(contact)")
            return
        }
        let identity = try #require(try await tenant.answer(.contact(name), to: contact).identity)
        #expect(identity.displayName == "Ann")
        #expect(try await tenant.seen(by: name)["attributes"] == ["city": "Ulm", "displayName": "Ann"])
    }

    @Test("with a password at the start, only the code is demanded")
    func quickSignUp() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current, signUp: true)
        let name = Fresh.email()
        let asked = try await tenant.begin(name)
        #expect(try await tenant.answer(code: "sign_up", of: name, to: asked).identity != nil)
        #expect(try await tenant.begin(name).identity != nil)
    }

    // MARK: Reset

    @Test("a password is reset, requested by the user or by the tenant", arguments: [true, false])
    func reset(byTenant: Bool) async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(["must_reset": .bool(byTenant), "polls": 2, "reset_failures": 1])
        let asked =
            try await byTenant
            ? tenant.begin(name) : tenant.answer(.passwordForgotten, to: tenant.begin(name, nil))
        guard case .resetPassword(let delivery?)? = asked.step else {
            Issue.record("\(asked)")
            return
        }
        #expect(delivery.destination.contains("***@"))
        let new = Secret("N3w-Horse!")
        #expect(
            try await tenant.answer(.resetPassword(code: "wrong", newPassword: new), to: asked).refusal == .codeWrong)
        let again = try await tenant.resend(asked)
        let code = try await tenant.code("reset_password", of: name)
        let old = try await tenant.answer(
            .resetPassword(code: code, newPassword: Secret(SimulatedTenant.password)), to: again)
        #expect(old.refusal == .passwordRejected([.recentlyUsed]))
        var done = try await tenant.answer(.resetPassword(code: code, newPassword: new), to: old)
        // On a busy machine it may take several requests; the tenant's failure then arrives when the password is no
        // longer available.
        for _ in 0..<20 {
            switch done.step {
            case .resetUnderWay?: done = try await tenant.answer(.waited, to: done)
            case .newPassword?: done = try await tenant.answer(.newPassword(new, attributes: [:]), to: done)
            default: break
            }
        }
        #expect(done.identity != nil, "\(done)")
        #expect(try await tenant.begin(name, "N3w-Horse!").identity != nil)
        #expect(try await tenant.begin(name).end == .credentialsWrong)
    }

    // MARK: The browser, time and trouble

    @Test(
        "if the tenant requires a browser, the sign-in continues there",
        arguments: ["oauth2/v2.0/initiate", "oauth2/v2.0/challenge", "oauth2/v2.0/token", "oauth2/v2.0/introspect"])
    func browser(path: String) async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user([
            "redirects": [.string(path)], "methods": [["channel": "email", "target": "ann@example.org"]],
        ])
        #expect(try await tenant.begin(name).step == .webFallback)
    }

    @Test("an expired continuation token ends the sign-in")
    func expired() async throws {
        let tenant = try SimulatedTenant(try RunningSimulator.current)
        let name = try await tenant.user(["token_seconds": 0])
        #expect(try await tenant.begin(name).end == .expired)
    }

    @Test("an application that isn't known or has native authentication off is the operator's matter")
    func clients() async throws {
        let simulator = try RunningSimulator.current
        let unknown = try SimulatedTenant(simulator, client: UUID().uuidString.lowercased())
        await #expect(throws: ProviderError.misconfigured(reason: "client_unknown")) {
            try await unknown.begin("ann@example.com")
        }
        let id = UUID().uuidString.lowercased()
        _ = try await simulator.client.send(
            TestRequest("POST", "/control/microsoft/clients").json(["client_id": .string(id), "native": false]))
        let off = try SimulatedTenant(simulator, client: id)
        await #expect(throws: ProviderError.misconfigured(reason: "native_authentication_disabled")) {
            try await off.begin("ann@example.com")
        }
    }

    @Test("a broken tenant is not charged to the user")
    func broken() async throws {
        let simulator = try await SimulatorProcess.start()
        let tenant = try SimulatedTenant(simulator, timeout: .seconds(3))
        let name = try await tenant.user()
        for mode in ["error", "garbled", "html", "redirect", "huge", "empty", "truncated", "hang", "slow"] {
            let delay: JSONObject = mode == "slow" ? ["delay_ms": 20_000] : [:]
            try await simulator.behave("microsoft", mode, endpoint: "native", delay)
            do {
                let answer = try await tenant.begin(name)
                Issue.record("\(mode): \(answer)")
            } catch let error as ProviderError {
                guard case .unavailable = error else {
                    Issue.record("\(mode): \(error)")
                    continue
                }
            }
        }
        await simulator.stop()
    }
}
