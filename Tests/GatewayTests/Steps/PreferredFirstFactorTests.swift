import JSON
import Testing

extension StepTests {
    /// The first factor that a user prefers.
    @Suite("The preferred first factor")
    struct PreferredFirstFactorTests {
        private func preferring(_ factor: String) async throws -> (email: String, device: String) {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            let changed = try await gateway.patch(
                "/v1/account", ["first_factor": .string(factor)], bearer: person.accessToken)
            try #require(changed.status == 200, "\(changed.text)")
            return (email, try #require(person.device))
        }

        @Test("it is demanded on a known device of the name, and another one can be chosen")
        func asked() async throws {
            let gateway = try GatewayProcess.current
            let (email, device) = try await preferring("email_otp")
            let begun = try PendingAnswer(
                try await gateway.begin("password", email, device: device), "confirm_sign_in_with_otp")
            #expect(begun.choices == ["password", "passkey"])
            _ = try await gateway.mailedCode(to: email, number: 2)
            let other = try PendingAnswer(
                try await gateway.answer(begun.flow, ["factor": "password"]), "confirm_sign_in_with_password")
            #expect(other.choices == ["email_otp", "passkey"])
            let signedIn = try SignedInAnswer(
                try await gateway.answer(other.flow, ["password": .string(GatewayProcess.password)]))
            #expect(try signedIn.facts.provider == "password" && signedIn.facts.amr == ["pwd"])
        }

        @Test("the session records the used factor, not the first offered one")
        func provider() async throws {
            let gateway = try GatewayProcess.current
            let (email, device) = try await preferring("email_otp")
            let begun = try PendingAnswer(try await gateway.begin("password", email, device: device))
            let code = try await gateway.mailedCode(to: email, number: 2)
            let signedIn = try SignedInAnswer(try await gateway.answer(begun.flow, ["code": .string(code)]))
            #expect(try signedIn.facts.provider == "email_otp" && signedIn.facts.amr == ["otp"])
        }

        @Test("P-01: a stranger gets the default question, so that the preference reveals nothing")
        func stranger() async throws {
            let gateway = try GatewayProcess.current
            let (email, _) = try await preferring("email_otp")
            let (_, otherDevice) = try await preferring("password")
            for device in [nil, otherDevice, "dt_" + String(repeating: "A", count: 43)] {
                let known = try await gateway.begin("password", email, device: device)
                let unknown = try await gateway.begin("password", Fresh.email(), device: device)
                #expect(try PendingAnswer(known).type == "continue_sign_in_with_first_factor_selection")
                #expect(known.likeness(of: email) == unknown.likeness(of: ""))
            }
            #expect(gateway.mailedCodes(to: email) == 1, "Nothing was sent but the code of the sign-up.")
        }
    }
}
