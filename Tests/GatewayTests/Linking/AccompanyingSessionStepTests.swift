import JSON
import Postgres
import Testing

extension LinkingTests {
    /// The second linking rule for a sign-in with a code after the password.
    @Suite("Signing in step by step while signed in")
    struct AccompanyingSessionStepTests {
        /// A user of the pool with a mailed code as second factor; the default name is the address.
        private func user(_ gateway: GatewayProcess, email: String? = nil) async throws -> String {
            let name = Fresh.email()
            _ = try await SimulatedPool.control(
                gateway.simulator, "users",
                [
                    "username": .string(name), "password": .string(SimulatedPool.password),
                    "email": .string(email ?? name), "factors": ["EMAIL_OTP"],
                ])
            return name
        }

        private func begin(_ name: String, bearer: String?, _ gateway: GatewayProcess) async throws -> JSON {
            let credential: JSONObject = ["username": .string(name), "password": .string(SimulatedPool.password)]
            let asked = try await gateway.signIn("cognito", credential: credential, bearer: bearer)
            try #require(asked.json["next_step"] != nil, "\(asked.text)")
            return try #require(asked.json["flow"])
        }

        private func finish(
            _ flow: JSON, _ name: String, bearer: String? = nil, _ gateway: GatewayProcess
        ) async throws -> TestAnswer {
            let user = try await gateway.simulator.client.send(
                TestRequest("GET", "/control/cognito/users?username=\(name)")
            ).json
            let code = try #require(user["codes"]?["EMAIL_OTP"])
            return try await gateway.post(
                "/v1/sign-in/continue", ["flow": flow, "response": ["code": code]], bearer: bearer)
        }

        @Test("an unknown identity is linked to the account of the session sent with the password")
        func joins() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("google", ["email": .string(email)])
            let owner = try await gateway.session("apple")
            let name = try await user(gateway, email: email)
            let flow = try await begin(name, bearer: owner.accessToken, gateway)
            let answer = try await finish(flow, name, gateway)
            let joined = try SignedInAnswer(answer)
            #expect(joined.account == owner.account && joined.account != holder.account && !joined.isNewAccount)
            #expect(try await gateway.identities(owner) == ["apple", "cognito"])
            let row = try #require(try await gateway.audit(answer).first)
            #expect(row.action == "identity_linked" && row.reason == "accompanying_session")
            #expect(row.account == owner.account && row.detail?["session"]?.string == owner.session)
        }

        @Test("a token that comes with the code alone links nothing")
        func late() async throws {
            let gateway = try GatewayProcess.current
            let other = try await gateway.session("apple")
            let name = try await user(gateway)
            let flow = try await begin(name, bearer: nil, gateway)
            let signedIn = try SignedInAnswer(
                try await finish(flow, name, bearer: other.accessToken, gateway))
            #expect(signedIn.isNewAccount && signedIn.account != other.account)
        }

        @Test("a session that ends before the code links nothing, and no account is created")
        func ended() async throws {
            let gateway = try GatewayProcess.current
            let owner = try await gateway.session("apple")
            let name = try await user(gateway)
            let flow = try await begin(name, bearer: owner.accessToken, gateway)
            #expect(try await gateway.post("/v1/sign-out", ["scope": "local"], bearer: owner.accessToken).status == 204)
            let answer = try await finish(flow, name, gateway)
            try await gateway.expectRefusal(answer, 401, "session_ended", action: "continue_sign_in")
            #expect(try await gateway.count("select count(*) from identities where email = \(name)") == 0)
            let left = try await gateway.count(
                "select count(*) from identities where account_id = \(owner.account)::uuid")
            #expect(left == 1)
        }

        @Test("an old proof, a session of another app and a made-up token link nothing, and known users still sign in")
        func refused() async throws {
            let gateway = try GatewayProcess.current
            let old = try await gateway.aged(try await gateway.session("apple"), seconds: 601)
            let foreign = try await gateway.session("apple", app: try await gateway.askingClient())
            for (bearer, status, code) in [
                (old, 403, "reauth_required"), (foreign.accessToken, 401, "access_token_invalid"),
                ("not a token", 401, "access_token_invalid"),
            ] {
                let name = try await user(gateway)
                let refused = try await finish(begin(name, bearer: bearer, gateway), name, gateway)
                try await gateway.expectRefusal(refused, status, code, action: "continue_sign_in")
                let known = try SignedInAnswer(try await finish(begin(name, bearer: nil, gateway), name, gateway))
                let again = try SignedInAnswer(try await finish(begin(name, bearer: bearer, gateway), name, gateway))
                #expect(again.account == known.account)
            }
        }

        @Test("a session that was fresh with the password counts as fresh with the code")
        func slow() async throws {
            let gateway = try GatewayProcess.current
            let owner = try await gateway.session("apple")
            let name = try await user(gateway)
            let flow = try await begin(name, bearer: owner.accessToken, gateway)
            _ = try await gateway.aged(owner, seconds: 601)
            #expect(try SignedInAnswer(try await finish(flow, name, gateway)).account == owner.account)
        }
    }
}
